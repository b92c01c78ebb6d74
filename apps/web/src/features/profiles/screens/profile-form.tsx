import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { t, type TextKey } from '../../../i18n/i18n';
import { mayChange, placeOf } from '../model/people';
import { addMember, changeMember, memberOf, members, removeMember, showMember } from '../model/family';
import { sentenceOf } from '../../../platform/model/failure';
import { ALLERGY_CODES, CONDITION_CODES, type FamilyMember } from '@app/client/documents';
import { useDraft } from '../../../platform/model/use-draft';
import { Button, ButtonLink } from '../../../ui/button';
import { Confirm } from '../../../ui/dialog';
import { CheckField, Choice, SelectField, TextArea, TextField } from '../../../ui/field';
import { Form, useAct } from '../../../ui/form';
import { Note, Screen } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import { NotFound } from '../../../platform/shell/not-found';
import { Drafted, forgetWithUndo } from '../../../platform/shell/drafted';
import { changeOf, memberForm, type MemberForm, RELATIONS } from './form-model';
import { PictureField } from './picture-field';
import { ReadOnly, Sharing } from './shared-profile';
import { Vaccinations } from './vaccinations';

export function ProfileForm() {
  const { id } = useRoute().params as { id?: string };
  const member = id ? memberOf(id) : undefined;
  if (id && !member) return <NotFound />;
  if (member && !mayChange(member.id)) return <ReadOnly member={member} />;
  return <Editing key={id} member={member} />;
}

function Editing({ member }: { member: FamilyMember | undefined }) {
  const { route, path } = useLocation();
  const draft = useDraft<MemberForm>(`profile/${member?.id ?? 'new'}`, memberForm(member, members.value));
  const { value: form, change } = draft;
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const save = () => {
    setTried(true);
    if (form.name.trim() === '') return;
    void act.run(async () => {
      const changes = changeOf(form, (code) => t(`profiles.fact.${code}` as TextKey));
      if (member) await changeMember(member, changes);
      // Where one person is chosen, the new one would be out of sight.
      else showMember((await addMember(changes)).id);
      await draft.drop();
      toast({
        text: t('common.state.saved'),
        ...(!member && {
          action: { label: t('profiles.addAnother'), run: () => route('/app/profiles/add') },
        }),
      });
      route(member ? '/app/profiles' : '/app/today');
    });
  };
  const isHuman = form.kind === 'human';
  return (
    <Screen
      title={member ? t('profiles.edit', { name: member.details.name }) : t('profiles.add')}
      back={{ href: '/app/profiles', label: t('profiles.title') }}
    >
      {member && <Sharing member={member} />}
      <Drafted draft={draft} what={draft.kept?.name.trim() || t('profiles.add')}>
        <Form onSubmit={save}>
          <Choice
            legend={t('profiles.kind')}
            value={form.kind}
            options={[
              { value: 'human', label: t('profiles.human') },
              { value: 'pet', label: t('profiles.pet') },
            ]}
            onValue={(kind) => change({ kind })}
          />
          <TextField
            label={t('profiles.name')}
            autocomplete="off"
            value={form.name}
            onValue={(name) => change({ name })}
            error={tried && !form.name.trim() ? t('common.required') : undefined}
          />
          {!isHuman && <Species form={form} change={change} />}
          {/* In a shared record each says it for themselves, above. */}
          {isHuman && !(member && placeOf(member)) && (
            <SelectField
              label={t('profiles.relationship')}
              value={form.relationship}
              options={RELATIONS.map((each) => ({
                value: each,
                label: t(`profiles.relation.${each}`),
              }))}
              onValue={(relationship) => change({ relationship })}
            />
          )}
          <TextField
            label={t('profiles.birthDate')}
            note={t('common.optional')}
            type="date"
            value={form.birthDate}
            onValue={(birthDate) => change({ birthDate })}
          />
          <PictureField
            name={form.name}
            isPet={!isHuman}
            picture={form.picture}
            onPicture={(picture) => change({ picture })}
          />
          <details>
            <summary>{t('profiles.health')}</summary>
            <div class="stack">
              <p class="soft small">{t('profiles.healthHint')}</p>
              {isHuman && <Health form={form} change={change} />}
              <TextArea
                label={t('profiles.otherAllergies')}
                value={form.otherAllergies}
                onValue={(otherAllergies) => change({ otherAllergies })}
              />
              <TextArea
                label={t('profiles.otherConditions')}
                value={form.otherConditions}
                onValue={(otherConditions) => change({ otherConditions })}
              />
            </div>
          </details>
          <details>
            <summary>{t('card.title')}</summary>
            <div class="stack">
              <p class="soft small">{t('card.fieldsHint')}</p>
              <TextField
                label={t('card.part.bloodGroup')}
                value={form.bloodGroup}
                onValue={(bloodGroup) => change({ bloodGroup })}
              />
              <TextArea
                label={t('card.contactsLabel')}
                value={form.contacts}
                onValue={(contacts) => change({ contacts })}
              />
              <TextField
                label={t('card.doctorLabel')}
                value={form.doctor}
                onValue={(doctor) => change({ doctor })}
              />
            </div>
          </details>
          <TextArea
            label={t('profiles.questions')}
            value={form.questions}
            onValue={(questions) => change({ questions })}
          />
          <TextArea label={t('profiles.notes')} value={form.notes} onValue={(notes) => change({ notes })} />
          {act.error !== undefined && (
            <Note look="error">
              {sentenceOf(act.error)} {t('common.state.kept')}
            </Note>
          )}
          <div class="actions">
            <ButtonLink href="/app/profiles" onClick={() => forgetWithUndo(draft, () => route(path))}>
              {t('common.action.cancel')}
            </ButtonLink>
            <Button type="submit" look="primary" busy={act.busy}>
              {t('common.action.save')}
            </Button>
          </div>
        </Form>
      </Drafted>
      {member && <Vaccinations profileId={member.id} />}
      {/* A shared record is left or deleted where its members are. */}
      {member && !placeOf(member) && <Deletion member={member} />}
    </Screen>
  );
}

interface PartProps {
  form: MemberForm;
  change: (changes: Partial<MemberForm>) => void;
}

function Species({ form, change }: PartProps) {
  return (
    <>
      <Choice
        legend={t('profiles.species')}
        value={form.species}
        options={(['dog', 'cat', 'other'] as const).map((each) => ({
          value: each,
          label: t(`profiles.speciesName.${each}`),
        }))}
        onValue={(species) => change({ species })}
      />
      {form.species === 'other' && (
        <TextField
          label={t('profiles.speciesOther')}
          hint={t('profiles.speciesUnchecked')}
          value={form.speciesOther}
          onValue={(speciesOther) => change({ speciesOther })}
        />
      )}
    </>
  );
}

function Health({ form, change }: PartProps) {
  const facts = (legend: string, codes: readonly string[]) => (
    <fieldset>
      <legend>{legend}</legend>
      {codes.map((code) => (
        <CheckField
          key={code}
          label={t(`profiles.fact.${code}` as TextKey)}
          checked={form.codes.includes(code)}
          onValue={(isSet) =>
            change({ codes: isSet ? [...form.codes, code] : form.codes.filter((each) => each !== code) })
          }
        />
      ))}
    </fieldset>
  );
  return (
    <>
      <SelectField
        label={t('profiles.sex')}
        value={form.sex}
        options={[
          { value: 'none', label: t('profiles.sexNone') },
          { value: 'female', label: t('profiles.female') },
          { value: 'male', label: t('profiles.male') },
        ]}
        onValue={(sex) => change({ sex })}
      />
      {form.sex === 'female' && (
        <div>
          <CheckField
            label={t('profiles.pregnant')}
            checked={form.pregnant}
            onValue={(pregnant) => change({ pregnant })}
          />
          <CheckField
            label={t('profiles.breastfeeding')}
            checked={form.breastfeeding}
            onValue={(breastfeeding) => change({ breastfeeding })}
          />
        </div>
      )}
      <CheckField
        label={t('profiles.smokes')}
        checked={form.smokes}
        onValue={(smokes) => change({ smokes })}
      />
      <TextField
        label={t('profiles.egfr')}
        inputMode="decimal"
        value={form.egfr}
        onValue={(egfr) => change({ egfr })}
      />
      {facts(t('profiles.allergies'), ALLERGY_CODES)}
      {facts(t('profiles.conditions'), CONDITION_CODES)}
    </>
  );
}

function Deletion({ member }: { member: FamilyMember }) {
  const { route } = useLocation();
  const [asking, setAsking] = useState(false);
  const act = useAct(sentenceOf);
  const { name } = member.details;
  return (
    <div>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('profiles.delete', { name })}
      </Button>
      {asking && (
        <Confirm
          title={t('profiles.delete', { name })}
          text={t('profiles.deleteText', { name })}
          yes={t('profiles.delete', { name })}
          no={t('common.action.cancel')}
          isDangerous
          busy={act.busy}
          onNo={() => setAsking(false)}
          onYes={() =>
            void act.run(async () => {
              await removeMember(member.id);
              route('/app/profiles');
            })
          }
        />
      )}
    </div>
  );
}
