import { ObjectReader } from '../http/object-reader';
import type { CallOptions } from '../records/record-types';
import { signalOf } from '../records/call-options';
import type { ServiceConnection } from '../records/service-connection';

/** How much an account stores, and may store. A create beyond either limit is refused with `quota_exceeded`. */
export interface AccountUsage {
  /** Of all kinds together. */
  records: number;
  maxRecords: number;
  /** As the service counts them: of what clients chose. */
  bytes: number;
  maxBytes: number;
}

export async function fetchUsage(
  send: ServiceConnection['send'],
  options: CallOptions,
): Promise<AccountUsage> {
  const answer = await send({ method: 'GET', path: '/api/users/me/usage', ...signalOf(options) });
  const reader = new ObjectReader(answer.body, 'usage');
  return {
    records: reader.integer('records', 0),
    maxRecords: reader.integer('max_records', 0),
    bytes: reader.integer('bytes', 0),
    maxBytes: reader.integer('max_bytes', 0),
  };
}
