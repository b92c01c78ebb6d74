import { InvalidArgumentError } from '../errors';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../json';

/** The readable content of one version of a record. */
export interface Version {
  profileId?: string;
  details: JsonObject;
  /** Plaintext fields in wire form. */
  meta: JsonObject;
}

/** A value that lost against a later one. It stays in the record, in `details.history`. */
export interface ReplacedValue {
  /** `details.<member>`, `meta.<wire field>` or `profileId`. */
  field: string;
  /** `null` for a member that was absent. */
  value: Json;
  /** When the value was written, by the clock of its device or of the service. RFC 3339. */
  at: string;
}

/** Older entries are dropped, so that a record cannot grow without end. */
const MAX_HISTORY = 50;
const HISTORY = 'history';

/**
 * Merges two versions that were made from `base`, field by field. A field that one side changed takes its
 * value. Where both changed a field, the later value wins, and the other one is kept in the history.
 * @param base absent if both sides created the record: then every field that differs counts as changed.
 */
export function mergeVersions(
  base: Version | undefined,
  mine: Version & { at: string },
  theirs: Version & { at: string },
): Version {
  const mineIsLater = Date.parse(mine.at) > Date.parse(theirs.at);
  const replaced: ReplacedValue[] = [];
  const merged = new Map<string, Json>();
  const [before, here, there] = [fieldsOf(base), fieldsOf(mine), fieldsOf(theirs)];
  for (const field of new Set([...there.keys(), ...here.keys()])) {
    const [was, my, their] = [before.get(field), here.get(field), there.get(field)];
    const [myText, theirText] = [canonicalJson(my), canonicalJson(their)];
    const isMine = myText !== canonicalJson(was) || !base;
    const isTheirs = theirText !== canonicalJson(was) || !base;
    const isConflict = isMine && isTheirs && myText !== theirText;
    const value = (isConflict ? mineIsLater : isMine) ? my : their;
    if (value !== undefined) merged.set(field, value);
    if (isConflict) {
      const lost = mineIsLater ? { value: their, at: theirs.at } : { value: my, at: mine.at };
      replaced.push({ field, value: lost.value ?? null, at: lost.at });
    }
  }
  const history = uniteHistories(historyOf(theirs), historyOf(mine), replaced);
  if (history.length > 0) merged.set(`details.${HISTORY}`, history as unknown as Json);
  return versionOf(merged);
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
  const replaced = { field: entry.field, value: fields.get(entry.field) ?? null, at: version.at };
  // `null` stands for a member that was absent, except where the wire form itself has `null`.
  if (entry.value === null && entry.field.startsWith('details.')) fields.delete(entry.field);
  else fields.set(entry.field, entry.value);
  fields.set(`details.${HISTORY}`, uniteHistories(rest, [replaced]) as unknown as Json);
  return versionOf(fields);
}

/** The values of a record that lost against later ones, oldest first. */
export function historyOf({ details }: { details: object }): ReplacedValue[] {
  const list = (details as JsonObject)[HISTORY];
  if (!Array.isArray(list)) return [];
  return list.filter(
    (entry) => isJsonObject(entry) && typeof entry.field === 'string' && typeof entry.at === 'string',
  ) as unknown as ReplacedValue[];
}

function fieldsOf(version: Version | undefined): Map<string, Json> {
  const fields = new Map<string, Json>();
  if (!version) return fields;
  if (version.profileId !== undefined) fields.set('profileId', version.profileId);
  for (const [name, value] of Object.entries(version.meta)) fields.set(`meta.${name}`, value);
  for (const [name, value] of Object.entries(version.details)) {
    if (name !== HISTORY) fields.set(`details.${name}`, value);
  }
  return fields;
}

function versionOf(fields: ReadonlyMap<string, Json>): Version {
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
