import { CheckedField, type FieldOptions } from '@app/http';

/** X-Wing: ML-KEM-768 with X25519. */
const SHARING_PUBLIC_BYTES = 1216;

/** Exactly so many bytes in base64. */
export function Base64Field(options: FieldOptions & { bytes: number }): PropertyDecorator {
  const { bytes } = options;
  const length = 4 * Math.ceil(bytes / 3);
  const isIt = (value: unknown) => {
    if (typeof value !== 'string' || value.length !== length) return false;
    const read = Buffer.from(value, 'base64');
    return read.length === bytes && read.toString('base64') === value;
  };
  return CheckedField(options, 'base64', `must be ${bytes} bytes in base64: ${length} characters`, isIt, {
    type: String,
    minLength: length,
    maxLength: length,
    example: Buffer.alloc(bytes, 7).toString('base64'),
  });
}

export function SharingPublicField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The public key to which others seal.';
  return Base64Field({ description, ...options, bytes: SHARING_PUBLIC_BYTES });
}

/** Two seeds of 32 bytes, and the tag of the cipher. */
const WRAPPED_BYTES = 32 + 32 + 16;

export class PutAccountKeysRequest {
  @SharingPublicField()
  sharing_public: string;

  @Base64Field({ bytes: 32, description: 'The public key by which others know what you have signed.' })
  signing_public: string;

  @Base64Field({
    bytes: WRAPPED_BYTES,
    description: 'The seeds of both, sealed under the key of the account.',
  })
  wrapped: string;

  @Base64Field({ bytes: 12, description: 'IV of wrapped.' })
  wrapped_iv: string;
}
