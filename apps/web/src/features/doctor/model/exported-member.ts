import type { ExportedProfile, JsonObject } from '@app/client';
import { dosesSince } from '../../medications/model/doses-since';
import type { FamilyMember } from '@app/client/documents';
import { medicines } from '../../medications/model/medicines';
import { relationOf } from '../../profiles/model/people';
import { statsOf, statsOnDemand } from '../../health-stats/model/stats';
import { visits, visitsOnDemand } from '../../appointments/model/visits';

/**
 * Everything of one member in the form of an export, with all doses. `visits` and `stats` are loaded where they are not.
 * @throws HealthRecordsError
 */
export async function exportedMember(member: FamilyMember, signal?: AbortSignal): Promise<ExportedProfile> {
  await Promise.all([statsOnDemand.need(), visitsOnDemand.need()]);
  for (const part of [statsOnDemand, visitsOnDemand])
    if (part.state.value !== 'ready') throw part.error.value;
  const { id, kind, details } = member;
  const own = medicines.value.filter(({ profileId }) => profileId === id);
  const medications: ExportedProfile['medications'] = [];
  for (const medicine of own) {
    const doses = await dosesSince(medicine.id, new Date(0), signal);
    medications.push({
      id: medicine.id,
      route: medicine.route,
      schedule: medicine.schedule,
      details: plain(medicine.details),
      doses: doses.map((dose) => ({ id: dose.id, taken: dose.taken, loggedAt: dose.loggedAt })),
    });
  }
  return {
    id,
    kind,
    relationship: relationOf(member) || 'other',
    details: plain(details),
    medications,
    appointments: visits.value
      .filter(({ profileId }) => profileId === id)
      .map((visit) => ({ id: visit.id, status: visit.status, details: plain(visit.details) })),
    healthStats: statsOf(id).map((stat) => ({
      id: stat.id,
      recordedAt: stat.recordedAt,
      details: plain(stat.details),
    })),
  };
}

/** Details without members that are undefined, as JSON has them. */
function plain(details: object): JsonObject {
  const members = Object.entries(details as JsonObject);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
