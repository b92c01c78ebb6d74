import { Users } from 'lucide-preact';
import type { FamilyMember } from '@app/client/documents';
import { t } from '../../../i18n/i18n';
import { dayWords } from '../../medications/model/words';
import { authorOf, byWords, hasEnded, placeOf, relationOf } from '../model/people';
import { sentenceOf } from '../../../platform/model/failure';
import { ButtonLink } from '../../../ui/button';
import { SelectField } from '../../../ui/field';
import { useAct } from '../../../ui/form';
import { Note, Screen } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import { MayNot } from '../../../platform/shell/may-not';
import { RELATIONS } from './form-model';
import { Vaccinations } from './vaccinations';
import '../../../platform/styles/records.css';

/** What the person is to this account. Each member of a shared record says it for themselves. */
function Relation({ member, spaceId }: { member: FamilyMember; spaceId: string }) {
  const act = useAct(sentenceOf);
  const value = relationOf(member);
  const known: readonly string[] = RELATIONS;
  const save = (relationship: string) =>
    void act.run(async () => {
      const { relate } = await import('../../sharing/model/spaces');
      await relate(spaceId, relationship);
      toast({ text: t('common.state.saved') });
    });
  return (
    <>
      <SelectField
        label={t('profiles.relationship')}
        hint={t('people.relationHint')}
        value={value}
        options={[
          ...(known.includes(value) ? [] : [{ value, label: value || t('people.relationNone') }]),
          ...RELATIONS.map((each) => ({ value: each, label: t(`profiles.relation.${each}`) })),
        ]}
        onValue={save}
      />
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
    </>
  );
}

/** The one entry to all about sharing. */
export function Sharing({ member }: { member: FamilyMember }) {
  const by = byWords(authorOf(member), 'common.share.writtenBy');
  const place = placeOf(member);
  return (
    <div class="stack">
      {place && !hasEnded(place) && member.kind === 'human' && (
        <Relation member={member} spaceId={place.id} />
      )}
      {by && <p class="soft">{by}</p>}
      <div>
        <ButtonLink href={`/app/profiles/${member.id}/people`} icon={Users}>
          {t(place ? 'people.open' : 'people.share')}
        </ButtonLink>
      </div>
    </div>
  );
}

/** A profile for whom may not change it. */
export function ReadOnly({ member }: { member: FamilyMember }) {
  const { name, birthDate, allergies, conditions, notes } = member.details;
  const texts = (list: { text: string }[] | undefined) => (list ?? []).map(({ text }) => text).join(', ');
  const facts = (
    [
      [t('profiles.birthDate'), birthDate && dayWords(birthDate)],
      [t('profiles.allergies'), texts(allergies)],
      [t('profiles.conditions'), texts(conditions)],
      [t('profiles.notes'), notes],
    ] as const
  ).filter(([, text]) => text);
  return (
    <Screen title={name} back={{ href: '/app/profiles', label: t('profiles.title') }}>
      <MayNot members={[member]} what="change" />
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(([term, text]) => [<dt key={term}>{term}</dt>, <dd key={`${term}:`}>{text}</dd>])}
        </dl>
      )}
      <Vaccinations profileId={member.id} />
      <Sharing member={member} />
    </Screen>
  );
}
