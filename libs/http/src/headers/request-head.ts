import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { ServiceError } from '@app/common';

/**
 * Headers that a request has at most once. Node keeps the first and drops the others, and another program on
 * the way may keep the last. Source: RFC 9110 section 5.3, RFC 9112 section 3.2.
 */
const SINGLE_HEADERS = new Set(['host', 'authorization', 'content-type', 'content-length']);

/**
 * Checks the framing of a request: headers that may not repeat, `Host`, HTTP/1.0 with chunks.
 *
 * @returns the refusal, `malformed_request`, if two programs could read the request in different ways.
 */
export function refusalOfFraming(request: IncomingMessage): ServiceError | undefined {
  const { rawHeaders, headers, httpVersion } = request;
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen?.includes(name)) return malformed(`The request has the header ${name} twice.`);
    (seen ??= []).push(name);
  }
  if (headers.host === undefined && httpVersion !== '1.0')
    return malformed('The request has no Host header.');
  // Source: RFC 9112 section 6.1.
  if (headers['transfer-encoding'] !== undefined && httpVersion === '1.0')
    return malformed('HTTP/1.0 has no Transfer-Encoding.');
  return undefined;
}

/**
 * Checks the name under which a client calls the service.
 *
 * @param allowed names in lower case. Allowed too are addresses and names without a dot: no page of a stranger can
 *   have one of them.
 * @returns the refusal, `host_unknown`.
 */
export function refusalOfHost({ headers }: IncomingMessage, allowed: string[]): ServiceError | undefined {
  const name = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  const isLocal = !name.includes('.') || name.startsWith('[') || isIPv4(name);
  return isLocal || allowed.includes(name) ? undefined : new ServiceError('host_unknown');
}

/**
 * Checks the body of a request by its headers.
 *
 * @returns the refusal: `payload_too_large`; `unsupported_media_type` for a coding, because the service reads
 *   plain bodies only; `malformed_request` for several codings.
 */
export function refusalOfBody({ headers }: IncomingMessage, maxBytes: number): ServiceError | undefined {
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return undefined;
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding?.includes(',')) return malformed('The request names more than one Content-Encoding.');
  if (coding !== undefined && coding !== '' && coding !== 'identity' && length !== '0')
    return new ServiceError('unsupported_media_type', {
      sentence: 'The request body must not be compressed.',
      // Source: RFC 9110 section 15.5.16.
      headers: { 'Accept-Encoding': 'identity' },
    });
  if (Number(length) > maxBytes)
    return new ServiceError('payload_too_large', {
      sentence: `The request body must be at most ${maxBytes} bytes.`,
    });
  return undefined;
}

function malformed(sentence: string): ServiceError {
  // The two ends may disagree on where the next request of this connection begins.
  return new ServiceError('malformed_request', { sentence, headers: { Connection: 'close' } });
}
