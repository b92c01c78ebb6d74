import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import { members } from '../../profiles/model/family';
import { medicines } from '../../medications/model/medicines';
import { choicesNow, choose, personModeOf, type ReminderMode } from '../model/reminder-choices';
import { isCurrent } from '../../medications/model/schedule';
import { nameWords } from '../../medications/model/words';
import { CheckField, SelectField } from '../../../ui/field';
import { useAct } from '../../../ui/form';
import { Note } from '../../../ui/screen';

const MODES: readonly ReminderMode[] = ['due', 'late', 'off'];

/** Of whom and of which medicines this device reminds. */
export function OfWhom() {
  const { silent } = choicesNow();
  const act = useAct(sentenceOf);
  const remind = (id: string, wanted: boolean) => {
    const others = silent.filter((each) => each !== id);
    void act.run(() => choose({ silent: wanted ? others : [...others, id] }));
  };
  const timed = medicines.value.filter(
    (medicine) =>
      medicine.details.schedule && !medicine.details.schedule.asNeeded && isCurrent(medicine, today.value),
  );
  return (
    <section class="stack form">
      <h2>{t('remind.who.title')}</h2>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      {members.value.map(({ id, details: { name } }) => (
        <div key={id} class="stack">
          <SelectField
            label={t('remind.who.mode', { name })}
            value={personModeOf(id)}
            options={MODES.map((value) => ({ value, label: t(`remind.who.${value}`) }))}
            onValue={(mode) => void act.run(() => choose({ modes: { ...choicesNow().modes, [id]: mode } }))}
          />
          {personModeOf(id) !== 'off' &&
            timed
              .filter(({ profileId }) => profileId === id)
              .map((medicine) => (
                <CheckField
                  key={medicine.id}
                  label={t('remind.who.medicine', { name: nameWords(medicine) })}
                  checked={!silent.includes(medicine.id)}
                  onValue={(wanted) => remind(medicine.id, wanted)}
                />
              ))}
        </div>
      ))}
    </section>
  );
}
