import { normalizeEmail } from '@app/common';
import { ReadField, TextField } from '@app/http';
import { OpaqueString } from '@app/opaque';

/** Longer text is refused before it is normalised, which is expensive. */
const MAX_RAW_LENGTH = 1024;

/** An email. The service gets the result of `normalizeEmail`. */
export function EmailField(): PropertyDecorator {
  const read = (value: unknown) =>
    typeof value === 'string' && value.length <= MAX_RAW_LENGTH ? normalizeEmail(value) : undefined;
  return ReadField(
    {},
    { name: 'email', rule: 'must be an email address of at most 254 characters', read },
    { type: String, format: 'email', example: 'ana@example.org' },
  );
}

/** A secret that the client derives. The service hashes it unchanged. */
export function SecretField(options: { description: string; optional?: boolean }): PropertyDecorator {
  return TextField({ ...options, min: 1, max: 1024, example: 'c2VjcmV0IGRlcml2ZWQgYnkgdGhlIGNsaWVudA==' });
}

/** A token of `POST /api/auth/device-token`. A wrong token has no effect. */
export function DeviceTokenField(): PropertyDecorator {
  return TextField({
    optional: true,
    min: 1,
    max: 255,
    description: "A device token of the account. Strangers' wrong tries do not shut this device out.",
    example: 'uS1p3rXk0cJb2m8bq1y4w5Zt7o9vA6dEfGhIjKlMnOQ',
  });
}

/** An account key that the client has wrapped. */
export function WrappedKeyField(description: string, optional = false): PropertyDecorator {
  return OpaqueString({ description, optional });
}

/** The IV of a wrapped account key. */
export function IvField(description: string, optional = false): PropertyDecorator {
  return OpaqueString({ description, optional, example: 'AAECAwQFBgcICQoL' });
}

/** The body of a step-up: the caller shows the current password once more. */
export class StepUpRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;
}
