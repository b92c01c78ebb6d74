import type { ComponentChildren } from 'preact';
import {
  changeText,
  componentName,
  metricName,
  numberText,
  type Texts,
  valuesText,
} from '../../../../i18n/measure-words';
import type { Language } from '../../../../i18n/languages';
import type { Visit } from '@app/client/documents';
import type { CheckedMember } from '../../../medications/model/checked-member';
import { burdensOf, pairsOf, unsureOf } from '../../../medications/model/findings';
import {
  dayOf,
  formatAppointment,
  formatDay,
  formatInstant,
  formatNumber,
} from '../../../../platform/model/dates';
import type { DoctorSheet, SheetMeasure, SheetMedicine } from '../../model/doctor-sheet';
import { factWords } from '../../model/fact-words';
import { gapsOf, lineOf } from '../../../health-stats/model/series';
import { substancesOf, unitSymbol } from '@app/client/documents';
import { startOf } from '../../../appointments/model/visits';
import { Sparkline } from '../../../../ui/sparkline';
import { gradeKey } from '../../../medications/screens/cabinet/grade-key';
import { doseWords } from './dose-words';

export interface SheetProps {
  sheet: DoctorSheet;
  /** In the language of the sheet. */
  checked: CheckedMember;
  text: Texts;
  language: Language;
}

interface Words {
  text: Texts;
  language: Language;
  day: (date: string) => string;
}

/**
 * The page itself. It is a table because every browser repeats the head of a table on each sheet of paper: so name and
 * date stand on all of them. The numbers of the sheets come from the style of the page.
 */
export function Sheet({ sheet, checked, text, language }: SheetProps) {
  const words: Words = { text, language, day: (date) => formatDay(date, language) };
  const { member } = sheet;
  return (
    <table class="sheet" role="presentation" lang={language}>
      <thead>
        <tr>
          <td>
            <div class="sheet-head">
              <span class="sheet-name">{member.details.name}</span>
              <span>{text('doctor.sheet.made', { when: formatDay(dayOf(new Date()), language) })}</span>
            </div>
          </td>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <Person sheet={sheet} words={words} />
            <Medicines medicines={sheet.medicines} words={words} />
            <Findings checked={checked} words={words} />
            <div class="sheet-columns">
              <Facts title={text('doctor.sheet.allergies')} facts={sheet.allergies} words={words} />
              <Facts title={text('doctor.sheet.conditions')} facts={sheet.conditions} words={words} />
            </div>
            <Measurements measures={sheet.measures} words={words} />
            <Others sheet={sheet} words={words} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Person({ sheet, words: { text, language, day } }: { sheet: DoctorSheet; words: Words }) {
  const { member, age, weight, from, to } = sheet;
  const { birthDate, species, sex, egfr } = member.details;
  const kind =
    member.kind === 'pet'
      ? species === 'dog' || species === 'cat'
        ? text(`doctor.sheet.species.${species}`)
        : (species ?? text('doctor.sheet.species.pet'))
      : undefined;
  const facts = [
    kind,
    birthDate && text('doctor.sheet.born', { when: day(birthDate) }),
    age !== undefined && age > 0 && text('doctor.sheet.age', { count: age }),
    sex && text(`doctor.sheet.sex.${sex}`),
    weight &&
      text('doctor.sheet.weight', {
        weight: valuesText('weight', weight.details.values, weight.details.unit, language),
        when: day(dayOf(new Date(weight.recordedAt))),
      }),
    typeof egfr === 'number' && text('doctor.sheet.egfr', { value: formatNumber(egfr, language) }),
  ].filter(Boolean);
  return (
    <header class="sheet-person">
      <h2>
        {text('doctor.sheet.heading')}: {member.details.name}
      </h2>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      <p class="sheet-soft">
        {text('doctor.sheet.period', { from: day(from), to: day(to) })}. {text('doctor.sheet.source')}
      </p>
    </header>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="sheet-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Medicines({ medicines, words }: { medicines: SheetMedicine[]; words: Words }) {
  const { text } = words;
  if (medicines.length === 0)
    return (
      <Section title={text('doctor.sheet.medicines')}>
        <p>{text('doctor.sheet.nothing')}</p>
      </Section>
    );
  return (
    <Section title={text('doctor.sheet.medicines')}>
      <table class="sheet-table">
        <thead>
          <tr>
            {(['medicine', 'dose', 'since', 'taken'] as const).map((column) => (
              <th key={column} scope="col">
                {text(`doctor.sheet.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {medicines.map((each) => (
            <MedicineRow key={each.medicine.id} row={each} words={words} />
          ))}
        </tbody>
      </table>
      <p class="sheet-soft">{text('doctor.sheet.takenNote')}</p>
    </Section>
  );
}

function MedicineRow({ row, words: { text, language, day } }: { row: SheetMedicine; words: Words }) {
  const { medicine, state, since, isSinceEntry, adherence, timesTaken } = row;
  const { name, strength, reason, prescriber, endDate, schedule } = medicine.details;
  // A date that breaks over two lines makes a long list a third longer.
  const when = day(since).replaceAll(' ', '\u00a0');
  const ended = endDate ?? schedule?.until;
  const substances = substancesOf(medicine.details).join(' + ');
  const stateWords =
    state === 'paused'
      ? text('doctor.sheet.state.paused')
      : state === 'ended' && ended
        ? text('doctor.sheet.state.ended', { when: day(ended) })
        : state === 'planned'
          ? text('doctor.sheet.state.planned', { when: day(since) })
          : undefined;
  const more = [
    reason && text('doctor.sheet.for', { reason }),
    prescriber && text('doctor.sheet.by', { name: prescriber }),
  ].filter(Boolean);
  const taken = adherence
    ? text('doctor.sheet.takenOf', { ...adherence })
    : timesTaken !== undefined
      ? text('doctor.sheet.timesTaken', { count: timesTaken })
      : text('doctor.sheet.notCounted');
  return (
    <tr>
      <th scope="row">
        {[name, strength].filter(Boolean).join(' ')}
        {substances && ` (${substances})`}
        {stateWords && <em> ({stateWords})</em>}
        {more.length > 0 && <div class="sheet-soft">{more.join(', ')}</div>}
      </th>
      <td>{doseWords(medicine, { text, language }) || '–'}</td>
      <td>{isSinceEntry ? text('doctor.sheet.sinceEntry', { when }) : when}</td>
      <td>{taken}</td>
    </tr>
  );
}

/** What the checks on the device say, the worst first, and what they cannot say. */
function Findings({ checked, words: { text } }: { checked: CheckedMember; words: Words }) {
  const { names, paused, findings, unsureDoses = [], error } = checked;
  if (names.length + paused.length === 0) return null;
  const listed = [pairsOf, burdensOf, unsureOf].flatMap((of) => of(checked));
  const none = unsureDoses.length === 0 ? 'cabinet.together.none' : 'cabinet.together.noneTogether';
  return (
    <Section title={text('doctor.sheet.findings')}>
      {error !== undefined ? (
        <p>{text('doctor.sheet.checkFailed')}</p>
      ) : !findings ? (
        <p>{text('cabinet.together.noSpecies')}</p>
      ) : (
        names.length > 0 && findings.length === 0 && <p>{text(none)}</p>
      )}
      {listed.length > 0 && (
        <ul>
          {listed.map((finding, at) => (
            <li key={`${finding.ruleId}${at}`}>
              <strong>
                {finding.medications.join(' + ')}: {text(gradeKey(finding))}.
              </strong>{' '}
              {finding.kind === 'unrecognized' ? text('cabinet.unknownName') : finding.summary}
            </li>
          ))}
        </ul>
      )}
      {unsureDoses.length > 0 && (
        <p class="sheet-soft">{text('cabinet.together.unsureDoses', { names: unsureDoses.join(', ') })}</p>
      )}
      {paused.length > 0 && (
        <p class="sheet-soft">{text('cabinet.together.paused', { names: paused.join(', ') })}</p>
      )}
    </Section>
  );
}

function Measurements({ measures, words }: { measures: SheetMeasure[]; words: Words }) {
  const { text } = words;
  return (
    <Section title={text('doctor.sheet.measurements')}>
      {measures.length === 0 ? (
        <p>{text('doctor.sheet.empty')}</p>
      ) : (
        <div class="sheet-measures">
          {measures.map((measure) => (
            <Measurement key={measure.series.metric} measure={measure} words={words} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Measurement({ measure, words: { text, language } }: { measure: SheetMeasure; words: Words }) {
  const { series, components, latestAt } = measure;
  const { metric, unit, points } = series;
  const gaps = gapsOf(points);
  const latest = points.at(-1)!;
  const number = (value: number) => numberText(value, unit, language);
  return (
    <div class="sheet-measure">
      <div class="sheet-measure-text">
        <h4>{metricName(metric, text)}</h4>
        <p>
          {text('doctor.sheet.latest')} <strong>{valuesText(metric, latest.values, unit, language)}</strong>{' '}
          <span class="sheet-soft">{formatInstant(new Date(latestAt), language)}</span>
        </p>
        {components.map(({ component, least, most, mean, direction, perWeek }) => (
          <p key={component} class="sheet-soft">
            {components.length > 1 && `${componentName(metric, component, text)}: `}
            {number(least)}–{number(most)} {unitSymbol(unit)}, {text('doctor.sheet.mean')} {number(mean)},{' '}
            {text(`doctor.sheet.direction.${direction}`, {
              change: perWeek === null ? '' : changeText(perWeek, unit, language),
            })}
          </p>
        ))}
        <p class="sheet-soft">{text('doctor.sheet.count', { count: points.length })}</p>
      </div>
      {points.length > 1 && (
        <Sparkline
          lines={components.map(({ component }) => lineOf(points, component, gaps))}
          width={180}
          height={56}
        />
      )}
    </div>
  );
}

function Facts({ title, facts, words }: { title: string; facts: DoctorSheet['allergies']; words: Words }) {
  return (
    <Section title={title}>
      {facts.length === 0 ? (
        <p>{words.text('doctor.sheet.nothing')}</p>
      ) : (
        <ul>
          {facts.map((fact) => (
            <li key={fact.text}>{factWords(fact, words.text)}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Others({ sheet, words }: { sheet: DoctorSheet; words: Words }) {
  const { text, day } = words;
  const { vaccinations, pastVisits, nextVisits, questions } = sheet;
  return (
    <>
      {vaccinations.length > 0 && (
        <Section title={text('doctor.sheet.vaccinations')}>
          <ul>
            {vaccinations.map(({ id, vaccine, givenOn, nextDue, lot, state }) => (
              <li key={id}>
                {vaccine}, {text('visits.given', { when: day(givenOn) })}
                {lot && ` (${lot})`}
                {` · ${text(`visits.due.${state}`, { when: nextDue ? day(nextDue) : '' })}`}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Visits title={text('doctor.sheet.past')} visits={pastVisits} words={words} />
      <Visits title={text('doctor.sheet.next')} visits={nextVisits} words={words} />
      {questions.length > 0 && (
        <Section title={text('doctor.sheet.questions')}>
          <ol class="sheet-questions">
            {questions.map((question) => (
              <li key={question}>{question}</li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

function Visits({ title, visits, words }: { title: string; visits: Visit[]; words: Words }) {
  if (visits.length === 0) return null;
  return (
    <Section title={title}>
      <ul>
        {visits.map((visit) => {
          const { title: what, practitioner, notes } = visit.details;
          return (
            <li key={visit.id}>
              {formatAppointment(new Date(startOf(visit)), words.language)}: {what}
              {practitioner && `, ${practitioner}`}
              {notes && <div class="sheet-soft">{notes}</div>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
