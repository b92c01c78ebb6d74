import { isIPv6 } from 'node:net';

/** Some proxies add the client's port, which changes with every connection. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** An IPv4-mapped IPv6 address, written as eight groups. Source: RFC 4291 section 2.5.5.2. */
const MAPPED = /^0:0:0:0:0:ffff:([\da-f]+):([\da-f]+)$/;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address.
 *
 * Source: RFC 6177 (an end site gets a /64 or more).
 *
 * @param address `undefined` if the connection was reset before the address was read. All of these count as one client.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'reset';
  const [, bracketed, ipv4] = WITH_PORT.exec(address) ?? [];
  const plain = (bracketed ?? ipv4 ?? address).split('%')[0];
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const [, high, low] = MAPPED.exec(groups.join(':')) ?? [];
  if (high === undefined || low === undefined) return groups.slice(0, 4).join(':');
  return [high, low]
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** A network that is larger than one client's. */
export interface WiderNetworks {
  /** The /56 of an IPv6 network: what a provider gives to a household. An IPv4 address has none. */
  site: string | undefined;
  /** The /48 of an IPv6 network, or the /24 of an IPv4 address. */
  block: string;
}

/**
 * The networks that contain a client's network. One person can have every /64 of a /56 or of a /48.
 *
 * Source: RFC 6177, RIPE-690 section 4.2.
 *
 * @param network a result of `networkOf`. If it is no address, it is its own block.
 */
export function widerNetworksOf(network: string): WiderNetworks {
  const groups = network.split(':');
  if (groups.length === 4) {
    const [first, second, third, fourth] = groups;
    const block = `${first}:${second}:${third}`;
    return { site: `${block}:${(parseInt(fourth, 16) >> 8).toString(16)}/56`, block: `${block}/48` };
  }
  const bytes = network.split('.');
  return { site: undefined, block: bytes.length === 4 ? `${bytes.slice(0, 3).join('.')}/24` : network };
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after];
}
