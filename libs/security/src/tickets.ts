import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type Secrets, SECRETS } from '@app/config';

const TICKET_TTL_SECONDS = 5 * 60;
const CHALLENGE_BYTES = 32;
const KEY_LABEL = 'health-records/v2/tickets';

/** The type of the token by its purpose. A token of another type is no ticket of this purpose. */
const TICKET_TYPES = {
  register: 'wc+jwt',
  login: 'wc+jwt',
  'second-step': 'ss+jwt',
  totp: 'ss+jwt',
  reminder: 'rm+jwt',
} as const;

export type TicketPurpose = keyof typeof TICKET_TYPES;

/** The account for which a ticket was issued. */
export interface TicketHolder {
  accountId: string;
  tokenVersion: number;
}

export interface Ticket {
  /** base64url. */
  challenge: string;
  issuedAt: Date;
  /** Absent where nobody has signed in yet. */
  holder?: TicketHolder;
  /** What the issuer has sealed for itself. */
  sealed?: Buffer;
}

interface Claims {
  purpose: TicketPurpose;
  challenge: string;
  issued_ms: number;
  sub?: string;
  token_version?: number;
  /** base64url. */
  sealed?: string;
}

/**
 * Challenges in signed tickets, for five minutes unless the issuer says otherwise: the service stores none, so strangers can write nothing. Whoever
 * uses a ticket must see to it that it works once.
 *
 * Security: signed with a key that is derived from `JWT_SECRET`, and not with the key of the tokens.
 */
@Injectable()
export class Tickets {
  private readonly keys: KeyObject[];

  constructor(
    private readonly jwt: JwtService,
    @Inject(SECRETS) { jwtSecret, jwtSecretPrevious }: Secrets,
  ) {
    this.keys = [jwtSecret, ...(jwtSecretPrevious === undefined ? [] : [jwtSecretPrevious])].map(ticketKey);
  }

  /** @returns the ticket, and the challenge that is in it. */
  issue(
    purpose: TicketPurpose,
    holder?: TicketHolder,
    sealed?: Buffer,
    ttlSeconds = TICKET_TTL_SECONDS,
  ): { ticket: string; challenge: Uint8Array<ArrayBuffer> } {
    const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES));
    const claims: Claims = {
      purpose,
      challenge: Buffer.from(challenge).toString('base64url'),
      issued_ms: Date.now(),
      ...(holder && { sub: holder.accountId, token_version: holder.tokenVersion }),
      ...(sealed && { sealed: sealed.toString('base64url') }),
    };
    const ticket = this.jwt.sign(claims, {
      expiresIn: ttlSeconds,
      header: { alg: 'HS256', typ: TICKET_TYPES[purpose] },
      secret: this.keys[0] as never,
    });
    return { ticket, challenge };
  }

  /** @returns `undefined` for anything but a living ticket of this service with this purpose. */
  read(ticket: string, purpose: TicketPurpose): Ticket | undefined {
    const claims = this.keys.map((key) => this.claimsOf(ticket, TICKET_TYPES[purpose], key)).find(Boolean);
    if (claims?.purpose !== purpose) return undefined;
    const { challenge, issued_ms: issuedMs, sub, token_version: tokenVersion, sealed } = claims;
    const holder =
      sub === undefined || tokenVersion === undefined ? undefined : { accountId: sub, tokenVersion };
    return {
      challenge,
      issuedAt: new Date(issuedMs),
      ...(holder && { holder }),
      ...(sealed !== undefined && { sealed: Buffer.from(sealed, 'base64url') }),
    };
  }

  private claimsOf(ticket: string, type: string, key: KeyObject): Claims | undefined {
    try {
      const { header, payload } = this.jwt.verify<{ header: Record<string, unknown>; payload: Claims }>(
        ticket,
        {
          complete: true,
          secret: key as never,
        },
      );
      return header.typ === type && header.crit === undefined ? payload : undefined;
    } catch {
      return undefined;
    }
  }
}

function ticketKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', KEY_LABEL, 32)));
}
