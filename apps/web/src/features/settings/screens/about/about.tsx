import { t } from '../../../../i18n/i18n';
import { Screen } from '../../../../ui/screen';

const PARTS = ['sees', 'cannot', 'checks'] as const;

export function About() {
  return (
    <Screen title={t('more.about.title')} back={{ href: '/app/more', label: t('more.title') }}>
      {PARTS.map((part) => (
        <section key={part} class="stack">
          <h2>{t(`more.about.${part}`)}</h2>
          <p>{t(`more.about.${part}Text`)}</p>
        </section>
      ))}
      <p class="soft">{t('more.about.licence')}</p>
      <p>
        <a href="/api/docs">{t('more.about.docs')}</a>
      </p>
    </Screen>
  );
}
