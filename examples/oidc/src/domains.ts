import type { Extension } from 'health-records-service';
import { OIDC } from './oidc/oidc.domain';

/** The domains that this service adds to those of the package. */
export const DOMAINS: Extension[] = [OIDC];
