import type { Check, Subject } from '../check';
import type { KindUnderTest, Registry } from '../record-kind';
import { idChecks } from './id-checks';
import { idempotencyChecks } from './idempotency-checks';
import { itemChecks } from './item-checks';
import { listChecks } from './list-checks';
import { moveChecks } from './move-checks';
import { queryChecks } from './query-checks';
import { revisionChecks } from './revision-checks';

/** The conventions that hold for records of every kind: create, list, pages, `If-Match`, `Idempotency-Key`, echo, move. */
export function conventionChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const parts = [
    ...[idChecks, itemChecks, listChecks, queryChecks, revisionChecks, idempotencyChecks, moveChecks],
  ];
  return parts.flatMap((checks) => checks(subject, kind, registry));
}
