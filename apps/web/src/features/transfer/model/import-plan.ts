import { EXPORT_FORMAT, EXPORT_VERSION, type ExportDocument, type ExportedProfile } from '@app/client';
import type { CsvRow } from './csv-measurements';
import { uuidOf } from '@app/client/fhir';

/** Where the records of a profile of the file go: `new`, or the id of a profile of the account. */
export const NEW_PERSON = 'new';

/** What a profile of a file holds. */
export interface Holdings {
  medicines: number;
  doses: number;
  visits: number;
  stats: number;
}

export function holdingsOf({ medications, appointments, healthStats }: ExportedProfile): Holdings {
  return {
    medicines: medications.length,
    doses: medications.reduce((sum, { doses }) => sum + doses.length, 0),
    visits: appointments.length,
    stats: healthStats.length,
  };
}

export function recordsIn(profile: ExportedProfile): number {
  return Object.values(holdingsOf(profile)).reduce<number>((sum, count) => sum + Number(count), 0);
}

/** How many medicines, visits and measurements of a profile are in the account already, by their ids. */
export function knownIn(profile: ExportedProfile, ids: ReadonlySet<string>): number {
  const { medications, appointments, healthStats } = profile;
  return [...medications, ...appointments, ...healthStats].filter(({ id }) => ids.has(id)).length;
}

/** The profile of the account that a profile of the file is; else a new person. */
export function likelyTarget(profile: ExportedProfile, members: readonly { id: string }[]): string {
  return members.some(({ id }) => id === profile.id) ? profile.id : NEW_PERSON;
}

/** The document to import: each profile at its target. */
export function planOf(
  profiles: readonly ExportedProfile[],
  targets: ReadonlyMap<string, string>,
): ExportDocument {
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: new Date(0).toISOString(),
    profiles: profiles.map((profile) => {
      const target = targets.get(profile.id);
      return target === undefined || target === NEW_PERSON ? profile : { ...profile, id: target };
    }),
  };
}

/**
 * The readings of a table as records of one profile. Their ids depend on what they say, so that the same table read
 * twice stores nothing twice.
 */
export async function profileOfRows(
  rows: readonly CsvRow[],
  member: Pick<ExportedProfile, 'id' | 'kind' | 'relationship'>,
): Promise<ExportedProfile> {
  const readings = rows.flatMap(({ reading }) => (reading ? [reading] : []));
  const healthStats = await Promise.all(
    readings.map(async ({ recordedAt, details }) => ({
      id: await uuidOf(JSON.stringify([member.id, recordedAt, details.metric, details.values, details.unit])),
      recordedAt,
      details: { ...details } as ExportedProfile['details'],
    })),
  );
  const unique = [...new Map(healthStats.map((each) => [each.id, each])).values()];
  const { id, kind, relationship } = member;
  return {
    id,
    kind,
    relationship,
    details: { name: '' },
    medications: [],
    appointments: [],
    healthStats: unique,
  };
}
