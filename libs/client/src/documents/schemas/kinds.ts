import { APPOINTMENT } from './appointment';
import { HEALTH_STAT } from './health-stat';
import { MEDICATION } from './medication';
import { PROFILE } from './profile';

/**
 * The schema of the details of each kind. In a version, members only come to it, and each can be absent; where one changes its
 * meaning, the version is another one. What an older version allowed stays readable.
 */
export const DOCUMENTS = {
  profile: { version: 1, schema: PROFILE },
  medication: { version: 1, schema: MEDICATION },
  appointment: { version: 1, schema: APPOINTMENT },
  'health-stat': { version: 1, schema: HEALTH_STAT },
} as const;
