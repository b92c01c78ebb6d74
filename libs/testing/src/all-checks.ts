import type { Check, Subject } from './check';
import { accessChecks } from './checks/access-checks';
import { conventionChecks } from './checks/convention-checks';
import { erasureChecks } from './checks/erasure-checks';
import { hostileChecks } from './checks/hostile-checks';
import { opaqueChecks } from './checks/opaque-checks';
import { ownershipChecks } from './checks/ownership-checks';
import { quotaChecks } from './checks/quota-checks';
import { registryChecks } from './checks/registry-checks';
import { spaceChecks } from './checks/space-checks';
import { syncChecks } from './checks/sync-checks';
import type { KindUnderTest, Registry } from './record-kind';
import type { TestService } from './service';

/**
 * Returns every check of one kind of record.
 *
 * @param subject a service that was started with `QUOTA_RECORDS` = `records`. The value must be 60 or more.
 */
export function kindChecks(
  subject: Subject,
  kind: KindUnderTest,
  registry: Registry,
  records: number,
): Check[] {
  return [
    ...conventionChecks(subject, kind, registry),
    ...opaqueChecks(subject, kind, registry),
    ...quotaChecks(subject, kind, registry, records),
    ...syncChecks(subject, kind, registry),
    ...hostileChecks(subject, kind, registry),
  ];
}

/**
 * Returns every check of the service as a whole. These checks try all routes of its
 * document, also those of added modules.
 */
export function serviceChecks(service: () => TestService, registry: Registry): Check[] {
  return [
    ...registryChecks(service, registry),
    ...accessChecks(service, registry),
    ...ownershipChecks(service, registry),
    ...erasureChecks(service, registry),
    ...spaceChecks(service, registry),
  ];
}
