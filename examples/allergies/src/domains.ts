import type { Extension } from 'health-records-service';
import { ALLERGIES } from './allergies/allergies.domain';

/**
 * The domains that this service adds to those of the package. The generator adds new domains to this list.
 */
export const DOMAINS: Extension[] = [ALLERGIES];
