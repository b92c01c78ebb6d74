import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';
import { networkOf } from './rate-limits/network';

/** Part of every stored pseudonym, so it must not change. */
const PURPOSE = 'rate limit';

/**
 * Pseudonyms of client addresses, for storage.
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
    return createHmac('sha256', this.secrets.decoySecret)
      .update(`${PURPOSE}\0${accountId}\0${networkOf(address)}`)
      .digest();
  }
}
