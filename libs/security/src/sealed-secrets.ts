import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Secrets, SECRETS } from '@app/config';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_LABEL = 'health-records/v2/second-step';

/** A secret that was opened, and whether the present key had sealed it. */
export interface OpenedSecret {
  secret: Buffer;
  isPresent: boolean;
}

/**
 * Secrets that the service itself must read, sealed for the database under `SECOND_STEP_SECRET` and bound to their
 * account. A stolen database opens none of them, and none can be moved to another account.
 */
@Injectable()
export class SealedSecrets {
  private readonly keys: KeyObject[];

  constructor(@Inject(SECRETS) { secondStepSecret, secondStepSecretPrevious }: Secrets) {
    const previous = secondStepSecretPrevious === undefined ? [] : [secondStepSecretPrevious];
    this.keys = [secondStepSecret, ...previous].map(sealingKey);
  }

  /** Whether a former secret is still given. */
  get isBeingReplaced(): boolean {
    return this.keys.length > 1;
  }

  /** @returns IV, ciphertext and tag. */
  seal(accountId: string, secret: Buffer): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0], iv).setAAD(Buffer.from(accountId));
    return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** @returns `undefined` for what neither key has sealed for this account. */
  open(accountId: string, sealed: Buffer): OpenedSecret | undefined {
    for (const [index, key] of this.keys.entries()) {
      const secret = openWith(key, accountId, sealed);
      if (secret) return { secret, isPresent: index === 0 };
    }
    return undefined;
  }
}

function openWith(key: KeyObject, accountId: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(accountId))
    .setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function sealingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', KEY_LABEL, 32)));
}
