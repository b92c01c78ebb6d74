import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';
import { networkOf } from './rate-limits/network';

/** Parts of every stored pseudonym, so they must not change. */
const PURPOSE = 'rate limit';
const AGENT_PURPOSE = 'user agent';

/**
 * Pseudonyms of client addresses and of user agents, for storage.
 *
 * Security: HMAC-SHA-256 with the installation's secret. A stolen database reveals no address. The account is
 * part of the input, so an address has a different pseudonym for each account. Nobody can tell which accounts
 * share a household.
 */
@Injectable()
export class AddressPseudonyms {
  constructor(@Inject(SECRETS) private readonly secrets: Secrets) {}

  /** @returns 32 bytes: the same for every address of one network (an IPv4 address or an IPv6 /64). */
  of(accountId: string, address: string): Buffer {
    return this.digest(PURPOSE, accountId, networkOf(address));
  }

  /** @returns 32 bytes for the value of a `User-Agent` header. */
  ofAgent(accountId: string, userAgent: string): Buffer {
    return this.digest(AGENT_PURPOSE, accountId, userAgent);
  }

  private digest(...parts: string[]): Buffer {
    return createHmac('sha256', this.secrets.decoySecret).update(parts.join('\0')).digest();
  }
}
