import type { HealthStat } from '@app/client';
import type { Visit } from '@app/client/documents';
import { isVaccination, vaccinatedOn } from '../../appointments/model/vaccinations';
import type { Medicine, FamilyMember } from '@app/client/documents';

/** Something that is found. */
export interface Found {
  kind: 'person' | 'medicine' | 'visit' | 'vaccination' | 'reading';
  id: string;
  profileId: string;
  /** What it is called. */
  title: string;
  /** Of a visit or a reading: when, RFC 3339. Of a vaccination: the day. */
  at?: string;
  /** Of a reading: what was measured. */
  value?: string;
}

interface Entry extends Found {
  name: string;
  /** All that is searched, folded. */
  text: string;
}

export interface Searched {
  members: readonly FamilyMember[];
  medicines: readonly Medicine[];
  visits: readonly Visit[];
  stats: readonly HealthStat[];
  /** The name of a measure in the language of the page. */
  nameOf: (metric: string) => string;
  /** What was measured, in words. */
  valueOf: (reading: HealthStat['details']) => string;
}

/** Without case and accents: a search for `muller` finds Müller. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Every text in a value; what another client or a file wrote may have any shape. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function entryOf(found: Found, ...texts: unknown[]): Entry {
  const text = fold([found.title, ...texts.flatMap(textsIn)].join('\n'));
  return { ...found, name: fold(textsIn(found.title).join()), text };
}

function whatAndWhen(details: Visit['details']): Pick<Found, 'kind' | 'at'> {
  const day = isVaccination({ details }) ? vaccinatedOn(details) : undefined;
  return day ? { kind: 'vaccination', at: day } : { kind: 'visit', at: details.startsAt };
}

/** The records in a form that is searched fast. Made once for each state of the records. */
export function indexOf({ members, medicines, visits, stats, nameOf, valueOf }: Searched): Entry[] {
  const whose = new Map(members.map(({ id, details }) => [id, details.name]));
  return [
    ...members.map(({ id, details: { picture: _, ...details } }) =>
      entryOf({ kind: 'person', id, profileId: id, title: details.name }, details),
    ),
    ...medicines.map(({ id, profileId, details }) => {
      const { name, strength, reading, reason, prescriber, instructions, notes, remarks, skips } = details;
      const title = [name, strength].filter(Boolean).join(' ');
      const said = [remarks?.map(({ note }) => note), skips?.map((skip) => skip.reason)];
      return entryOf(
        { kind: 'medicine', id, profileId, title },
        whose.get(profileId),
        [reading?.ingredients, reason, prescriber, instructions, notes, details.correction],
        said,
      );
    }),
    ...visits.map(({ id, profileId, details }) =>
      entryOf({ ...whatAndWhen(details), id, profileId, title: details.title }, whose.get(profileId), [
        details.practitioner,
        details.location,
        details.notes,
        details.vaccine,
        details.lot,
      ]),
    ),
    ...stats.map(({ id, profileId, recordedAt, details }) =>
      entryOf(
        {
          kind: 'reading',
          id,
          profileId,
          title: nameOf(details.metric),
          at: recordedAt,
          value: valueOf(details),
        },
        whose.get(profileId),
        details.note,
      ),
    ),
  ];
}

/** What is found at most. */
export const MOST_FOUND = 50;
const KINDS = ['person', 'medicine', 'visit', 'vaccination', 'reading'];

/** The entries that have every word of the query. Names that begin with it come first, then the newest. */
export function search(index: readonly Entry[], query: string): { found: Found[]; count: number } {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return { found: [], count: 0 };
  const hits = index.filter(({ text }) => words.every((word) => text.includes(word)));
  const rankOf = ({ name, kind }: Entry) =>
    (name.startsWith(words[0]) ? 0 : name.includes(words[0]) ? 1 : 2) * KINDS.length + KINDS.indexOf(kind);
  const found = hits
    .map((entry) => ({ entry, rank: rankOf(entry) }))
    .sort((a, b) => a.rank - b.rank || (b.entry.at ?? '').localeCompare(a.entry.at ?? ''))
    .slice(0, MOST_FOUND)
    .map(({ entry: { name: _name, text: _text, ...each } }) => each);
  return { found, count: hits.length };
}
