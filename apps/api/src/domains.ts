import { compose, type Composition, type Extensions } from '@app/extension';
import { APPOINTMENTS } from './appointments/appointments.domain';
import { AUTH } from './auth/auth.domain';
import { HEALTH } from './health/health.domain';
import { HEALTH_STATS } from './health-stats/health-stats.domain';
import { HOME } from './home/home.domain';
import { INTERACTIONS } from './interactions/interactions.domain';
import { MEDICATIONS } from './medications/medications.domain';
import { PROFILES } from './profiles/profiles.domain';
import { RECOVERY } from './recovery/recovery.domain';
import { REMINDERS } from './reminders/reminders.domain';
import { SPACES } from './spaces/spaces.domain';
import { SYNC } from './sync/sync.domain';

/**
 * The service's own domains, in the order of the documentation. A new domain is added here and nowhere else.
 */
const DOMAINS = [
  AUTH,
  RECOVERY,
  PROFILES,
  MEDICATIONS,
  APPOINTMENTS,
  HEALTH_STATS,
  REMINDERS,
  SYNC,
  SPACES,
  INTERACTIONS,
  HEALTH,
  HOME,
];

/** Combines the service with the extension of a team. @throws ExtensionError that names the invalid class. */
export function composeService(extension: Extensions = []): Composition {
  return compose(DOMAINS, extension);
}
