import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';

/** Shape of the reference client's wrapped key: 32 bytes of key and 16 of tag, and a 96-bit IV. */
const WRAPPED_DEK_BYTES = 48;
const IV_BYTES = 12;

/**
 * Values that depend on an email and the installation's secret alone: the same at every call, on every replica, before
 * and after an account exists. Without the secret they cannot be told from stored ones.
 */
@Injectable()
export class Decoys {
  constructor(@Inject(SECRETS) private readonly secrets: Secrets) {}

  /** The salt of the client's key derivation for this email: 16 bytes, base64. */
  salt(email: string): string {
    return this.bytes('salt', email, 16).toString('base64');
  }

  /** What recovery-info answers where there is no account. */
  recoveryWrap(email: string): { recovery_wrapped_dek: string; recovery_wrapped_dek_iv: string } {
    return {
      recovery_wrapped_dek: this.bytes('recovery wrap', email, WRAPPED_DEK_BYTES).toString('base64'),
      recovery_wrapped_dek_iv: this.bytes('recovery iv', email, IV_BYTES).toString('base64'),
    };
  }

  private bytes(purpose: string, email: string, count: number): Buffer {
    return createHmac('sha512', this.secrets.decoySecret)
      .update(`${purpose}\0${email}`)
      .digest()
      .subarray(0, count);
  }
}
