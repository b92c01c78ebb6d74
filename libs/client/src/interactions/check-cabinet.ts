import type { ProfileCheckOptions } from '../client-options';
import { InvalidArgumentError } from '../errors';
import { deviceTimeZone, isCalendarDate } from '../inputs';
import type { Medications } from '../records/medications';
import type { Profiles } from '../records/profiles';
import { localDate } from '../trends/local-date';
import type { InteractionResult } from './interaction-types';
import type { Interactions } from './interactions';

/** The parts of the client that a check of all medications needs. */
interface Cabinet {
  profiles: Profiles;
  medications: Medications;
  interactions: Interactions;
}

/** Checks all current medications of a profile: see `HealthRecordsClient.checkInteractionsOf`. */
export async function checkCabinet(
  { profiles, medications, interactions }: Cabinet,
  profileId: string,
  { person, language, ...options }: ProfileCheckOptions,
): Promise<InteractionResult[]> {
  const [profile, all] = await Promise.all([
    profiles.get(profileId, options),
    medications.list({ profileId }, options),
  ]);
  if (profile.lineage === null) {
    throw new InvalidArgumentError('No client has sealed the kind of this profile; save the profile first.');
  }
  const species = profile.kind === 'human' ? 'human' : profile.details.species;
  if (species !== 'human' && species !== 'dog' && species !== 'cat') {
    throw new InvalidArgumentError('Checks exist for humans, dogs and cats; give the profile its species.');
  }
  const today = localDate(new Date(), deviceTimeZone());
  // A date that cannot be read must not leave a medicine out of the check.
  const current = all.filter(({ details: { endDate } }) => !isCalendarDate(endDate) || endDate >= today);
  const names = current.map(({ details }) => details.name);
  const given = { ...(person && { person }), ...(language && { language }) };
  return interactions.check({ medications: names, species, ...given }, options);
}
