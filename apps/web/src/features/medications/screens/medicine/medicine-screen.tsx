import { Pencil, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { adherenceOf } from '../../model/adherence';
import { findingsOf, isDoseUnsure, lacksWeight } from '../../model/findings';
import { now, today } from '../../../../platform/model/clock';
import { enteredOf, lacksVolume } from '../../model/dosage';
import { memberOf } from '../../../profiles/model/family';
import {
  authorOf,
  byWords,
  doseAuthorWords,
  mayChange,
  mayChangeEntry,
  mayNote,
} from '../../../profiles/model/people';
import { allDosesOf, dosesOf, medicineOf } from '../../model/medicines';
import { type Medicine, skipReasonOf } from '@app/client/documents';
import { isPaused } from '../../model/schedule';
import { forecastStock } from '../../model/stock';
import {
  dayWords,
  doseWords,
  nameWords,
  remarkWords,
  scheduleWords,
  shortDay,
  whenWords,
} from '../../model/words';
import { Button, ButtonLink } from '../../../../ui/button';
import { Note, Screen } from '../../../../ui/screen';
import { ShowMore } from '../../../../ui/show-more';
import { Finding } from '../cabinet/finding';
import { VolumeMissing, WeightMissing } from '../cabinet/what-is-missing';
import { MayNot } from '../../../../platform/shell/may-not';
import { NotFound } from '../../../../platform/shell/not-found';
import { takeBack } from '../../../doses/screens/answers';
import { askAboutDose, DoseQuestions } from '../../../doses/screens/dose-question';
import { MedicineActs } from './acts';
import { Changes } from './changes';
import { HeatMap } from './heat-map';
import '../../../../platform/styles/records.css';

const SHOWN_DAYS = 84;
const SHOWN_DOSES = 30;

export function MedicineScreen() {
  const medicine = medicineOf(useRoute().params.id);
  return medicine ? <One key={medicine.id} medicine={medicine} /> : <NotFound />;
}

function Facts({ medicine }: { medicine: Medicine }) {
  const { details, profileId } = medicine;
  const forecast = forecastStock(medicine, dosesOf(medicine.id), now.value);
  const stock =
    forecast &&
    (forecast.emptyOn
      ? t('cabinet.one.stockLeft', { left: forecast.left, day: dayWords(forecast.emptyOn) })
      : t('cabinet.one.stockOnly', { left: forecast.left }));
  const facts: [string, string | undefined][] = [
    [t('cabinet.form.forWhom'), memberOf(profileId)?.details.name],
    [t('cabinet.form.amount'), details.schedule?.amounts ? undefined : doseWords(details.dose)],
    [t('cabinet.form.when'), scheduleWords(details.schedule, details.dose)],
    [t('plan.correction'), details.correction],
    [t('cabinet.form.start'), details.startDate && dayWords(details.startDate)],
    [t('cabinet.one.stock'), stock],
    [t('cabinet.form.reason'), details.reason],
    [t('cabinet.form.prescriber'), details.prescriber],
    [t('cabinet.form.instructions'), details.instructions],
    [t('cabinet.form.notes'), details.notes],
  ];
  return (
    <dl class="facts">
      {facts.map(([term, text]) => text && [<dt key={term}>{term}</dt>, <dd key={`${term}:`}>{text}</dd>])}
    </dl>
  );
}

/** What is to be looked at comes first; what was not checked is said. */
function Findings({ medicine }: { medicine: Medicine }) {
  const findings = findingsOf(medicine);
  const isUnsure = isDoseUnsure(medicine);
  if (findings.length === 0 && !isUnsure) return null;
  return (
    <section class="stack">
      <h2>{t('cabinet.one.checks')}</h2>
      {findings.map((finding, at) => (
        <Finding key={`${finding.ruleId}${at}`} finding={finding} />
      ))}
      {isUnsure && (
        <Note look="warn">{t('cabinet.together.unsureDoses', { names: medicine.details.name })}</Note>
      )}
      {isUnsure && lacksVolume(enteredOf(medicine.details)) && <VolumeMissing />}
      {lacksWeight(medicine) && <WeightMissing profileId={medicine.profileId} />}
    </section>
  );
}

function One({ medicine }: { medicine: Medicine }) {
  const [shown, setShown] = useState(SHOWN_DOSES);
  const doses = allDosesOf(medicine.id);
  const month = adherenceOf(medicine, dosesOf(medicine.id), now.value, 30);
  const { taken, due, skipped, missed, rate, since } = month;
  const member = memberOf(medicine.profileId);
  const who = member?.details.name;
  const author = byWords(authorOf(medicine), 'common.share.writtenBy');
  return (
    <Screen
      title={nameWords(medicine)}
      back={{ href: '/app/cabinet', label: t('cabinet.title') }}
      action={
        mayChange(medicine.profileId) && (
          <ButtonLink href={`/app/cabinet/${medicine.id}/edit`} icon={Pencil}>
            {t('cabinet.one.edit')}
          </ButtonLink>
        )
      }
    >
      {isPaused(medicine, today.value) && <Note look="warn">{t('cabinet.paused')}</Note>}
      <Findings medicine={medicine} />
      <Facts medicine={medicine} />
      {author && <p class="soft">{author}</p>}
      {mayChange(medicine.profileId) ? (
        <MedicineActs medicine={medicine} />
      ) : (
        member && <MayNot members={[member]} what="change" />
      )}
      {!medicine.details.schedule?.asNeeded && (
        <section class="stack">
          <h2>{t('cabinet.one.history')}</h2>
          <HeatMap view={adherenceOf(medicine, doses, now.value, SHOWN_DAYS)} />
          <p>
            {rate === null
              ? t('cabinet.one.historyNone')
              : since
                ? t('cabinet.one.historyShort', { taken, due, skipped, missed, day: shortDay(since) })
                : t('cabinet.one.historyMeaning', { taken, due, skipped, missed, rate })}
          </p>
        </section>
      )}
      <Changes changes={medicine.details.changes ?? []} />
      <section class="stack">
        <h2>{t('cabinet.one.doses')}</h2>
        {mayNote(medicine.profileId) && (
          <div>
            <Button icon={Plus} onClick={() => void askAboutDose({ medicine })}>
              {t('cabinet.one.addDose')}
            </Button>
          </div>
        )}
        {doses.length === 0 && <p class="soft">{t('cabinet.one.noDoses')}</p>}
        {doses.some((dose) => doseAuthorWords(dose)) && (
          <p class="soft small">{t('common.share.byService')}</p>
        )}
        <ul class="list">
          {doses.slice(0, shown).map((dose) => {
            const when = whenWords(new Date(dose.loggedAt), today.value);
            const reason = [skipReasonOf(medicine, dose.id), remarkWords(medicine, dose.id)]
              .filter(Boolean)
              .join(' · ');
            const by = doseAuthorWords(dose);
            return (
              <li key={dose.id} class="done-row">
                <span>
                  {when} · {dose.taken ? t('cabinet.one.doseTaken') : t('cabinet.one.doseSkipped')}
                  {reason && <span class="list-sub">{reason}</span>}
                  {by && <span class="list-sub">{by}</span>}
                  {!dose.confirmed && <span class="list-sub">{t('cabinet.one.doseUnconfirmed')}</span>}
                </span>
                {mayChangeEntry(medicine.profileId, dose) && (
                  <span class="row">
                    <Button
                      look="quiet"
                      aria-label={t('today.changeDoseOf', {
                        name: nameWords(medicine),
                        time: when,
                        who,
                        status: dose.taken ? t('cabinet.one.doseTaken') : t('cabinet.one.doseSkipped'),
                      })}
                      onClick={() => void askAboutDose({ medicine, dose })}
                    >
                      {t('cabinet.one.edit')}
                    </Button>
                    <Button
                      look="quiet"
                      aria-label={t('today.undoOf', { name: nameWords(medicine), time: when, who })}
                      onClick={() => void takeBack(medicine, dose)}
                    >
                      {t('common.action.undo')}
                    </Button>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
        <div>
          <ShowMore shown={shown} count={doses.length} page={SHOWN_DOSES} onShow={setShown} />
        </div>
      </section>
      <DoseQuestions />
    </Screen>
  );
}
