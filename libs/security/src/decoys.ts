import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';

/** The form of random bytes in a text. */
export interface TextShape {
  encoding: 'base64' | 'base64url' | 'hex';
  bytes: number;
}

/** The form of a wrapped key and its IV. */
export interface WrapShape {
  wrap: TextShape;
  iv: TextShape;
}

/** In the reference client, a wrapped key has 32 bytes of key and 16 bytes of tag; an IV has 96 bits. */
export const REFERENCE_SHAPE: WrapShape = {
  wrap: { encoding: 'base64', bytes: 48 },
  iv: { encoding: 'base64', bytes: 12 },
};

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

  /** The answer of recovery-info for an unknown email, in the shape of the accounts of this service. */
  recoveryWrap(
    email: string,
    shape: WrapShape,
  ): { recovery_wrapped_dek: string; recovery_wrapped_dek_iv: string } {
    const textOf = (purpose: string, { bytes, encoding }: TextShape) =>
      this.bytes(purpose, email, bytes).toString(encoding);
    return {
      recovery_wrapped_dek: textOf('recovery wrap', shape.wrap),
      recovery_wrapped_dek_iv: textOf('recovery iv', shape.iv),
    };
  }

  private bytes(purpose: string, email: string, count: number): Buffer {
    const blocks = [this.block(`${purpose}\0${email}`)];
    for (let length = blocks[0].length; length < count; length += blocks[0].length)
      blocks.push(this.block(`${purpose}\0${email}\0${blocks.length}`));
    return Buffer.concat(blocks).subarray(0, count);
  }

  private block(text: string): Buffer {
    return createHmac('sha512', this.secrets.decoySecret).update(text).digest();
  }
}
