import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';

/** In the reference client, a wrapped key has 32 bytes of key and 16 bytes of tag; an IV has 96 bits. */
const WRAPPED_KEY_BYTES = 48;
const IV_BYTES = 12;

/**
 * Values that are derived from an email and the installation's secret. They are the same for every call and
 * on every replica, before and after the account exists. Without the secret, nobody can distinguish them from
 * stored values.
 */
@Injectable()
export class Decoys {
  constructor(@Inject(SECRETS) private readonly secrets: Secrets) {}

  /** The salt of the client's key derivation for this email: 16 bytes, base64. */
  salt(email: string): string {
    return this.bytes('salt', email, 16).toString('base64');
  }

  /** The answer of recovery-info for an unknown email, in the shape of the reference client. */
  recoveryWrap(email: string): { recovery_wrapped_dek: string; recovery_wrapped_dek_iv: string } {
    return {
      recovery_wrapped_dek: this.bytes('recovery wrap', email, WRAPPED_KEY_BYTES).toString('base64'),
      recovery_wrapped_dek_iv: this.bytes('recovery iv', email, IV_BYTES).toString('base64'),
    };
  }

  /** @param count at most 64. */
  private bytes(purpose: string, email: string, count: number): Buffer {
    return createHmac('sha512', this.secrets.decoySecret)
      .update(`${purpose}\0${email}`)
      .digest()
      .subarray(0, count);
  }
}
