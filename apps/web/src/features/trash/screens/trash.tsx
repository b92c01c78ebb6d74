import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { metricName } from '../../../i18n/measure-words';
import { today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import { memberOf } from '../../profiles/model/family';
import { mayChange } from '../../profiles/model/people';
import { statsOnDemand } from '../../health-stats/model/stats';
import { bringBack, eraseTrashed, trash, TRASH_DAYS, type Trashed } from '../model/trash';
import { visitsOnDemand } from '../../appointments/model/visits';
import { whenWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { Confirm } from '../../../ui/dialog';
import { useAct } from '../../../ui/form';
import { Loaded } from '../../../ui/loaded';
import { Note, Screen } from '../../../ui/screen';
import { toast } from '../../../ui/toast';

/** What was deleted, until it is erased. */
export function Trash() {
  return (
    <Screen title={t('trash.title')} back={{ href: '/app/more', label: t('common.nav.more') }}>
      <p>{t('trash.text', { days: TRASH_DAYS })}</p>
      <Loaded parts={[statsOnDemand, visitsOnDemand]}>{() => <Content />}</Loaded>
    </Screen>
  );
}

const nameOf = ({ kind, name }: Trashed) => (kind === 'health_stat' ? metricName(name, t) : name);

function Content() {
  const [erasing, setErasing] = useState<Trashed | undefined>(undefined);
  const act = useAct(sentenceOf);
  const shown = trash.value.filter(({ profileId }) => mayChange(profileId));
  if (shown.length === 0) return <p class="soft">{t('trash.empty')}</p>;
  const sayDone = (key: 'trash.isBack' | 'trash.isErased', each: Trashed) =>
    toast({ text: t(key, { name: nameOf(each) }) });
  return (
    <>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <ul class="list">
        {shown.map((each) => {
          const person = each.kind === 'profile' ? undefined : memberOf(each.profileId)?.details.name;
          const name = nameOf(each);
          const when = t('trash.when', { when: whenWords(each.at, today.value) });
          return (
            <li key={`${each.kind} ${each.id}`} class="stack list-acts">
              <span class="list-main">
                <span class="list-title">{name}</span>
                <span class="list-sub">
                  {[t(`trash.kind.${each.kind}`), person, when].filter(Boolean).join(' · ')}
                </span>
              </span>
              <div class="row">
                <Button
                  aria-label={`${t('trash.back')}: ${name}`}
                  busy={act.busy}
                  onClick={() =>
                    void act.run(async () => {
                      await bringBack(each);
                      sayDone('trash.isBack', each);
                    })
                  }
                >
                  {t('trash.back')}
                </Button>
                <Button
                  look="quiet"
                  aria-label={`${t('trash.erase')}: ${name}`}
                  busy={act.busy}
                  onClick={() => setErasing(each)}
                >
                  {t('trash.erase')}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {erasing && (
        <Confirm
          title={t('trash.eraseTitle', { name: nameOf(erasing) })}
          text={t('trash.eraseText')}
          yes={t('trash.erase')}
          no={t('common.action.cancel')}
          isDangerous
          busy={act.busy}
          onNo={() => setErasing(undefined)}
          onYes={() =>
            void act.run(async () => {
              await eraseTrashed(erasing);
              sayDone('trash.isErased', erasing);
              setErasing(undefined);
            })
          }
        />
      )}
    </>
  );
}
