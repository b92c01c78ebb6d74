import { canonicalJson, isJsonObject } from '../json';
import type { HttpAnswer } from '../http/http-transport';
import type { WireBody } from './offline-rows';

/** Members of which a reader believes nothing else. The service returns them as they were sent. */
const SEALED = ['encrypted_data', 'name_data', 'name_iv', 'wrapped_profile_dek', 'wrapped_profile_dek_iv'];

/** A write, as far as its answer must repeat it. */
export interface SentWrite {
  action: 'create' | 'update' | 'delete';
  id: string;
  body?: WireBody;
  parent?: Record<string, string>;
}

/**
 * The stored record, if the answer proves that the write has arrived: with its id, its revision, and what was sent.
 * @returns `undefined` where it proves nothing: an empty answer, the page of a portal, another record.
 */
export function confirmedBy(
  answer: HttpAnswer,
  { id, body: sent = {}, parent }: SentWrite,
): WireBody | undefined {
  const { body } = answer;
  if (!isJsonObject(body) || (body.profile_id !== id && body.id !== id)) return undefined;
  const names = SEALED.filter((name) => name in sent);
  // A dose is plaintext, and has no revision.
  const isSealed = names.length > 0;
  if (isSealed && !(Number.isSafeInteger(body.revision) && Number(body.revision) >= 1)) return undefined;
  const expected = isSealed
    ? Object.fromEntries(names.map((name) => [name, sent[name]]))
    : { ...sent, ...parent };
  const isSame = Object.entries(expected).every(([name, value]) => isEqual(value, body[name]));
  // What this device has sealed is the truth, whatever else the service answers.
  return isSame ? { ...body, ...sent } : undefined;
}

/** A delete is confirmed by an answer without a body, as the contract says. */
export function confirmsDelete({ status, body }: HttpAnswer): boolean {
  return status === 204 && body === undefined;
}

/** The answer proves nothing: the write stays, and is sent again. */
export function notConfirmed(): Error {
  const message = 'The answer does not show that the service has stored the write. It is sent again.';
  return Object.assign(new Error(message), { code: 'not_confirmed' });
}

/** Times are equal by their instant. */
function isEqual(a: unknown, b: unknown): boolean {
  if (canonicalJson(a) === canonicalJson(b)) return true;
  const isTime = [a, b].every((value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value));
  return isTime && Date.parse(a as string) === Date.parse(b as string);
}
