import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ReadField } from '@app/http';
import { KDF, KDF_ITERATIONS, MAX_KDF_ITERATIONS } from './kdf.rule';

export class NewKdf {
  @ApiProperty({ enum: [KDF], example: KDF })
  kdf: string;

  @ApiProperty({ type: 'integer', minimum: KDF_ITERATIONS, maximum: MAX_KDF_ITERATIONS, example: 1_000_000 })
  iterations: number;
}

/** An optional `new_kdf`: the cost of the derivation that made the new secret. */
export function NewKdfField(): PropertyDecorator {
  return applyDecorators(
    ReadField(
      {
        optional: true,
        description:
          'The key derivation of the new secret; `prelogin` then answers with it. Absent: what `prelogin` answers for the email before the change.',
        example: { kdf: KDF, iterations: 1_000_000 },
      },
      {
        name: 'newKdf',
        rule: `must be { "kdf": "${KDF}", "iterations": ${KDF_ITERATIONS} to ${MAX_KDF_ITERATIONS} }`,
        read: readNewKdf,
      },
      { type: NewKdf },
    ),
  );
}

function readNewKdf(value: unknown): NewKdf | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kdf, iterations, ...others } = value as Partial<Record<string, unknown>>;
  const isKnown = kdf === KDF && Number.isSafeInteger(iterations) && Object.keys(others).length === 0;
  if (!isKnown || (iterations as number) < KDF_ITERATIONS || (iterations as number) > MAX_KDF_ITERATIONS)
    return undefined;
  return { kdf, iterations: iterations as number };
}
