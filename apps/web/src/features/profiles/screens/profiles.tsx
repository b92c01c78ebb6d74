import { Plus } from 'lucide-preact';
import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { members } from '../model/family';
import { placeOf } from '../model/people';
import { ageOn, type FamilyMember } from '@app/client/documents';
import { ButtonLink } from '../../../ui/button';
import { Empty, Screen } from '../../../ui/screen';
import { MemberList } from './member-list';

function aboutWords(member: FamilyMember): string {
  const { kind, details } = member;
  const { species } = details;
  const animal = species === 'dog' || species === 'cat' ? t(`profiles.speciesName.${species}`) : species;
  const age = details.birthDate && t('profiles.age', { count: ageOn(details.birthDate, today.value) });
  const place = placeOf(member);
  return [
    kind === 'pet' ? animal : undefined,
    age,
    place && t('common.share.shared'),
    place && t(`people.role.${place.role}`),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function Profiles() {
  return (
    <Screen
      title={t('profiles.title')}
      back={{ href: '/app/more', label: t('common.nav.more') }}
      action={
        <ButtonLink href="/app/profiles/add" look="primary" icon={Plus}>
          {t('profiles.add')}
        </ButtonLink>
      }
    >
      {members.value.length === 0 && (
        <Empty title={t('profiles.empty.title')} text={t('profiles.empty.text')} />
      )}
      <MemberList hrefOf={({ id }) => `/app/profiles/${id}`} wordsOf={aboutWords} />
    </Screen>
  );
}
