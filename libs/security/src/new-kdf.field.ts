import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ReadField } from '@app/http';

/** The key derivation of the reference client. Source: OWASP Password Storage Cheat Sheet. */
export const KDF = 'pbkdf2-sha256';
/** The cost of a new account. An older one keeps its own until its client raises it. */
export const KDF_ITERATIONS = 1_000_000;
/** The least that a client may ask for. Clients refuse less. */
export const MIN_KDF_ITERATIONS = 600_000;
/** Clients refuse more. */
export const MAX_KDF_ITERATIONS = 10_000_000;

export class NewKdf {
  @ApiProperty({ enum: [KDF], example: KDF })
  kdf: string;

  @ApiProperty({
    type: 'integer',
    minimum: MIN_KDF_ITERATIONS,
    maximum: MAX_KDF_ITERATIONS,
    example: 1_000_000,
  })
  iterations: number;

  @ApiProperty({ required: false, example: 'AAECAwQFBgcICQoLDA0ODw==' })
  salt?: string;
}

/** An optional `new_kdf`: the derivation that made the new secret. */
export function NewKdfField(): PropertyDecorator {
  return applyDecorators(
    ReadField(
      {
        optional: true,
        description:
          'The key derivation of the new secret; `prelogin` then answers with it. It is never cheaper than what the account has. `salt` is the one with which the secret was derived: it must be that of the email, else the secret would never be right. Absent: what `prelogin` answers for the email before the request.',
        example: { kdf: KDF, iterations: 1_000_000 },
      },
      {
        name: 'newKdf',
        rule: `must be { "kdf": "${KDF}", "iterations": ${MIN_KDF_ITERATIONS} to ${MAX_KDF_ITERATIONS}, "salt": optional text }`,
        read: readNewKdf,
      },
      { type: NewKdf },
    ),
  );
}

function readNewKdf(value: unknown): NewKdf | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kdf, iterations, salt, ...others } = value as Partial<Record<string, unknown>>;
  const isKnown = kdf === KDF && Number.isSafeInteger(iterations) && Object.keys(others).length === 0;
  if (!isKnown || (iterations as number) < MIN_KDF_ITERATIONS || (iterations as number) > MAX_KDF_ITERATIONS)
    return undefined;
  if (salt !== undefined && typeof salt !== 'string') return undefined;
  return { kdf, iterations: iterations as number, ...(salt === undefined ? {} : { salt }) };
}
