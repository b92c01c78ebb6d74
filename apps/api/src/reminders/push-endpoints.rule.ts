import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The push services of browsers, and one that people install by themselves. A leading dot is any name below. */
const KNOWN_SERVICES = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
  'ntfy.sh',
];
const MAX_LENGTH = 1024;

/**
 * Whether messages may be sent to an endpoint.
 *
 * Security: the service makes requests to what clients name, so only to known services.
 *
 * @param added hosts, with a port if it is not 443, that the operator trusts.
 */
export function isPushEndpoint(endpoint: string, added: readonly string[]): boolean {
  if (endpoint.length > MAX_LENGTH || !URL.canParse(endpoint)) return false;
  const { protocol, host, username, password, hash } = new URL(endpoint);
  if (protocol !== 'https:' || username || password || hash) return false;
  return added.includes(host) || KNOWN_SERVICES.some((known) => isNamed(host, known));
}

function isNamed(host: string, known: string): boolean {
  return known.startsWith('.') ? host.endsWith(known) : host === known;
}

/**
 * Finds the addresses of a known push service for a connection.
 *
 * Security: a name that leads to an address of this network is refused, at each connection.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const isAllowed = addresses?.every(({ address }) => isPublicAddress(address));
    if (error || !isAllowed) return callback(error ?? new PrivateAddressError(), '');
    if (options.all) return callback(null, addresses);
    callback(null, addresses[0].address, addresses[0].family);
  });
};

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'EPRIVATE';
}

/** Whether an address is reached over the internet. Source: the special ranges that IANA lists. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
