import { Users } from 'lucide-preact';
import type { FamilyMember } from '@app/client/documents';
import { t } from '../../i18n/i18n';
import { dayWords } from '../../model/words';
import { authorOf, byWords, placeOf } from '../../model/people';
import { ButtonLink } from '../../ui/button';
import { Screen } from '../../ui/screen';
import { MayNot } from '../shell/may-not';
import { Vaccinations } from './vaccinations';
import '../../styles/records.css';

/** The one entry to all about sharing. */
export function Sharing({ member }: { member: FamilyMember }) {
  const by = byWords(authorOf(member), 'common.share.writtenBy');
  return (
    <div class="stack">
      {by && <p class="soft">{by}</p>}
      <div>
        <ButtonLink href={`/app/profiles/${member.id}/people`} icon={Users}>
          {t(placeOf(member) ? 'people.open' : 'people.share')}
        </ButtonLink>
      </div>
    </div>
  );
}

/** A profile for whom may not change it. */
export function ReadOnly({ member }: { member: FamilyMember }) {
  const { name, birthDate, allergies, conditions, notes } = member.details;
  const texts = (list: { text: string }[] | undefined) => (list ?? []).map(({ text }) => text).join(', ');
  const facts: [string, string | undefined][] = [
    [t('profiles.birthDate'), birthDate && dayWords(birthDate)],
    [t('profiles.allergies'), texts(allergies)],
    [t('profiles.conditions'), texts(conditions)],
    [t('profiles.notes'), notes],
  ];
  return (
    <Screen title={name} back={{ href: '/app/profiles', label: t('profiles.title') }}>
      <MayNot members={[member]} what="change" />
      <dl class="facts">
        {facts.map(([term, text]) => text && [<dt key={term}>{term}</dt>, <dd key={`${term}:`}>{text}</dd>])}
      </dl>
      <Vaccinations profileId={member.id} />
      <Sharing member={member} />
    </Screen>
  );
}
