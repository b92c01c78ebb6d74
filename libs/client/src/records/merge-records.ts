import { is } from 'valibot';
import {
  OPEN_QUESTION,
  type OpenQuestion,
  REPLACED_VALUE,
  type ReplacedValue,
} from '../documents/schemas/conflicts';
import { InvalidArgumentError } from '../errors';
import { canonicalJson, type Json, type JsonObject } from '../json';
import {
  isLater,
  readStamp,
  timeOfPart,
  withTimes,
  type EditStamp,
  type EditTimes,
} from '../crypto/edit-time';

/** The readable content of one version of a record. */
export interface Version {
  profileId?: string;
  details: JsonObject;
  /** Plaintext fields in wire form. */
  meta: JsonObject;
  /** When its parts were changed, as it was sealed. */
  edited?: EditTimes | undefined;
  /** Of a shared profile: the account that has written it, where that is certain. */
  by?: string | undefined;
}

/** The unit to which a field belongs; the empty name for a field that stands alone. */
export type UnitOf = (field: string) => string;

export type { OpenQuestion, ReplacedValue };

/** A question as a page puts it. */
export interface RecordQuestion {
  unit: string;
  /** Each field in which the two differ: the value that stands, and the other one. `null` for an absent member. */
  fields: readonly { field: string; standing: Json; other: Json }[];
  /** When each was entered, by the clock of its device, RFC 3339; `null` where nobody has sealed it. */
  standingAt: string | null;
  otherAt: string | null;
  /** The entry in the record. */
  entry: OpenQuestion;
}

/** Older entries are dropped, so that a record cannot grow without end. */
const MAX_HISTORY = 50;
const MAX_QUESTIONS = 20;
const HISTORY = 'history';
const QUESTIONS = 'questions';
type Fields = Map<string, Json>;

/**
 * Merges two versions that were made from `base`. A part that one side changed takes its value. Where both changed a part,
 * the later one stands: a field that stands alone keeps the other value in the history, a unit keeps the whole other
 * version as a question. So two changes of one unit are never mixed.
 * @param base absent if both sides created the record: then every part that differs counts as changed.
 */
export function mergeVersions(
  base: Version | undefined,
  mine: Version,
  theirs: Version,
  unitOf: UnitOf = () => '',
): Version {
  const [before, here, there] = [fieldsOf(base), fieldsOf(mine), fieldsOf(theirs)];
  const merged: Fields = new Map();
  const replaced: ReplacedValue[] = [];
  const asked: OpenQuestion[] = [];
  const answered = new Set<string>();
  const times: Record<string, EditStamp | undefined> = {};
  const names = new Set([...there.keys(), ...here.keys()]);
  // A field that stands alone is a part of its own.
  const parts = new Map<string, { unit: string; fields: string[] }>();
  for (const field of names) {
    const unit = unitOf(field);
    const part = parts.get(unit === '' ? field : unit) ?? { unit, fields: [] };
    parts.set(unit === '' ? field : unit, { unit, fields: [...part.fields, field] });
  }
  for (const { unit, fields } of parts.values()) {
    const textOf = (version: Fields) => canonicalJson(fields.map((field) => version.get(field) ?? null));
    const [was, my, their] = [textOf(before), textOf(here), textOf(there)];
    const [isMine, isTheirs] = [my !== was || !base, their !== was || !base];
    const isConflict = isMine && isTheirs && my !== their;
    const [myTime, theirTime] = [timeOfPart(mine.edited, unit), timeOfPart(theirs.edited, unit)];
    const mineIsLater = isLater(myTime, theirTime);
    const takesMine = isConflict ? mineIsLater : isMine;
    const [stands, lost] = takesMine ? [here, there] : [there, here];
    for (const field of fields) {
      const value = stands.get(field);
      if (value !== undefined) merged.set(field, value);
    }
    const time = takesMine && my !== their ? myTime : isTheirs ? theirTime : undefined;
    if (isLater(time, times[unit])) times[unit] = time;
    if (isMine && unit !== '') answered.add(timeOfPart(base?.edited, unit) ?? '');
    if (!isConflict) continue;
    const lostTime = takesMine ? theirTime : myTime;
    const by = byOf(takesMine ? theirs : mine);
    const differing = fields.filter(
      (field) => canonicalJson(here.get(field)) !== canonicalJson(there.get(field)),
    );
    if (unit === '') {
      for (const field of differing) {
        replaced.push({
          field,
          value: lost.get(field) ?? null,
          at: timeText(lostTime) ?? new Date(0).toISOString(),
          ...by,
        });
      }
    } else {
      const values = Object.fromEntries(differing.map((field) => [field, lost.get(field) ?? null]));
      asked.push({ unit, values, edited: lostTime ?? '', ...by });
    }
  }
  const history = uniteHistories(historyOf(theirs), historyOf(mine), replaced);
  if (history.length > 0) merged.set(`details.${HISTORY}`, history);
  const unanswered = remaining(base, mine, theirs, answered);
  const open = withoutTwins([...unanswered, ...asked]).filter((each) => differs(merged, each));
  setQuestions(merged, open.slice(-MAX_QUESTIONS));
  return { ...versionOf(merged), edited: withTimes(theirs.edited, times) };
}

/** The stamps of a version that replaces another one: those of the changed parts are new. */
export function timesAfter(
  before: Version | undefined,
  after: Version,
  unitOf: UnitOf,
  stamp: (last: EditStamp | undefined) => EditStamp,
): EditTimes {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (field) => canonicalJson(was.get(field)) !== canonicalJson(is.get(field)),
  );
  const isChanged = new Set(before ? changed.map(unitOf) : ['']);
  const parts = new Set(['', ...(before ? [...is.keys()].map(unitOf) : [])]);
  const stamps = [...parts].map((part) => {
    const last = timeOfPart(before?.edited, part);
    return [part, isChanged.has(part) ? stamp(last) : last] as const;
  });
  return withTimes(before?.edited, Object.fromEntries(stamps));
}

/** The open questions of a record, oldest first. */
export function questionsOf(record: { details: object; edited?: EditTimes }): RecordQuestion[] {
  const fields = fieldsOf({ details: record.details as JsonObject, meta: {} });
  return openQuestions(record).map((entry) => ({
    unit: entry.unit,
    fields: Object.entries(entry.values).map(([field, other]) => ({
      field,
      standing: fields.get(field) ?? wireMember(record, field),
      other,
    })),
    standingAt: timeText(timeOfPart(record.edited, entry.unit)) ?? null,
    otherAt: timeText(entry.edited) ?? null,
    entry,
  }));
}

/**
 * The version after an answer. What the person did not choose goes into the history.
 * @throws InvalidArgumentError for a question that the record does not have.
 */
export function withAnswer(
  version: Version & { at: string },
  { entry }: Pick<RecordQuestion, 'entry'>,
  choice: 'standing' | 'other',
): Version {
  const open = openQuestions(version);
  const rest = open.filter((each) => canonicalJson(each) !== canonicalJson(entry));
  if (rest.length === open.length) throw new InvalidArgumentError('The record has no such question.');
  const fields = fieldsOf(version);
  const replaced = Object.entries(entry.values).map(([field, other]): ReplacedValue => {
    const standing = fields.get(field) ?? null;
    if (choice === 'standing')
      return { field, value: other, at: timeText(entry.edited) ?? version.at, ...byOf(entry) };
    setOrRemove(fields, field, other);
    return {
      field,
      value: standing,
      at: timeText(timeOfPart(version.edited, entry.unit)) ?? version.at,
      ...byOf(version),
    };
  });
  const history = uniteHistories(historyOf(version), replaced);
  if (history.length > 0) fields.set(`details.${HISTORY}`, history);
  const left = rest.filter((each) => differs(fields, each));
  setQuestions(fields, left);
  return versionOf(fields);
}

/**
 * The version with a replaced value in its place again. The value that was there goes into the history.
 * @throws InvalidArgumentError for an entry that is not in the history.
 */
export function withTakenBack(version: Version & { at: string }, entry: ReplacedValue): Version {
  const history = historyOf(version);
  const rest = history.filter((each) => canonicalJson(each) !== canonicalJson(entry));
  if (rest.length === history.length)
    throw new InvalidArgumentError('The record has no such replaced value.');
  const fields = fieldsOf(version);
  const value = fields.get(entry.field) ?? null;
  const replaced = { field: entry.field, value, at: version.at, ...byOf(version) };
  setOrRemove(fields, entry.field, entry.value);
  fields.set(`details.${HISTORY}`, uniteHistories(rest, [replaced]));
  const open = openQuestions(version);
  setQuestions(fields, open);
  return versionOf(fields);
}

/** The values of a record that lost against later ones, oldest first. */
export function historyOf({ details }: { details: object }): ReplacedValue[] {
  const list = (details as JsonObject)[HISTORY];
  if (!Array.isArray(list)) return [];
  return list.filter((entry): entry is ReplacedValue => is(REPLACED_VALUE, entry));
}

function openQuestions({ details }: { details: object }): OpenQuestion[] {
  const list = (details as JsonObject)[QUESTIONS];
  if (!Array.isArray(list)) return [];
  return list.filter((each): each is OpenQuestion => is(OPEN_QUESTION, each));
}

/** The questions of both sides, without those that one side has answered, by an answer or by a newer change. */
function remaining(
  base: Version | undefined,
  mine: Version,
  theirs: Version,
  answered: ReadonlySet<string>,
): OpenQuestion[] {
  const keyed = (version: Version | undefined) =>
    new Map((version ? openQuestions(version) : []).map((each) => [canonicalJson(each), each]));
  const [before, here, there] = [keyed(base), keyed(mine), keyed(theirs)];
  const all = [...new Map([...there, ...here])];
  const isOpen = ([key]: [string, OpenQuestion]) => !before.has(key) || (here.has(key) && there.has(key));
  return all
    .filter(isOpen)
    .map(([, each]) => each)
    .filter(({ edited }) => edited === '' || !answered.has(edited));
}

/** One question for each other version. The last one says in what it differs now. */
function withoutTwins(questions: readonly OpenQuestion[]): OpenQuestion[] {
  const nameOf = (each: OpenQuestion) =>
    each.edited === '' ? canonicalJson(each) : `${each.edited} ${each.unit}`;
  return [...new Map(questions.map((each) => [nameOf(each), each])).values()];
}

/** Whether the other version of a question is still another one. */
function differs(fields: Fields, { values }: OpenQuestion): boolean {
  return Object.entries(values).some(
    ([field, value]) => canonicalJson(fields.get(field) ?? null) !== canonicalJson(value),
  );
}

/** Whether two versions say the same, whenever it was written. */
export function isSameContent(a: Version, b: Version): boolean {
  const text = ({ profileId, details, meta }: Version) => canonicalJson({ profileId, details, meta });
  return text(a) === text(b);
}

function byOf({ by }: { by?: string | undefined }): { by?: string } {
  return by === undefined ? {} : { by };
}

function timeText(stamp: EditStamp | undefined): string | undefined {
  const read = readStamp(stamp);
  return read && new Date(read.ms).toISOString();
}

/** `null` stands for a member that was absent, except where the wire form itself has `null`. */
function setOrRemove(fields: Fields, field: string, value: Json): void {
  if (value === null && field.startsWith('details.')) fields.delete(field);
  else fields.set(field, value);
}

/** A plaintext field as the record shows it. */
function wireMember(record: object, field: string): Json {
  const name = field.slice('meta.'.length);
  return (record as JsonObject)[name === 'dose_schedule' ? 'schedule' : name] ?? null;
}

function fieldsOf(version: Version | undefined): Fields {
  const fields: Fields = new Map();
  if (!version) return fields;
  if (version.profileId !== undefined) fields.set('profileId', version.profileId);
  for (const [name, value] of Object.entries(version.meta)) fields.set(`meta.${name}`, value);
  for (const [name, value] of Object.entries(version.details)) {
    const own = name === QUESTIONS ? ownEntries(value) : value;
    if (name !== HISTORY && own !== undefined) fields.set(`details.${name}`, own);
  }
  return fields;
}

/** What stands in `details.questions` beside open questions: of a profile, what the person wants to ask. */
function ownEntries(questions: Json): Json[] | undefined {
  const own = Array.isArray(questions) ? questions.filter((each) => !is(OPEN_QUESTION, each)) : [];
  return own.length > 0 ? own : undefined;
}

/** Adds open questions to what else stands there. */
function setQuestions(fields: Fields, open: OpenQuestion[]): void {
  const own = ownEntries(fields.get(`details.${QUESTIONS}`) ?? null) ?? [];
  if (open.length > 0) fields.set(`details.${QUESTIONS}`, [...own, ...open]);
}

/** Changes of a caller, with the open questions of the record: only an answer closes one. */
export function withOpenQuestions(current: { details: object }, changes: JsonObject): JsonObject {
  const open = openQuestions(current);
  if (!(QUESTIONS in changes) || open.length === 0) return changes;
  return { ...changes, [QUESTIONS]: [...(ownEntries(changes[QUESTIONS]) ?? []), ...open] };
}

function versionOf(fields: Fields): Version {
  const version: Version = { details: {}, meta: {} };
  for (const [field, value] of fields) {
    if (field.startsWith('details.')) version.details[field.slice('details.'.length)] = value;
    else if (field.startsWith('meta.')) version.meta[field.slice('meta.'.length)] = value;
    else if (typeof value === 'string') version.profileId = value;
  }
  return version;
}

function uniteHistories(...histories: ReplacedValue[][]): ReplacedValue[] {
  const unique = new Map(histories.flat().map((entry) => [canonicalJson(entry), entry]));
  const sorted = [...unique.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return sorted.slice(-MAX_HISTORY);
}
