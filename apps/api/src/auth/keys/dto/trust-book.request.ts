import { IntegerField } from '@app/http';
import { OpaqueBlob, type OpaqueJson } from '@app/opaque';

/** Room for dozens of contacts. */
const MAX_BYTES = 64 * 1024;
export const MAX_REVISION = 2 ** 31 - 2;

export class PutTrustBookRequest {
  @IntegerField({
    optional: true,
    min: 0,
    max: MAX_REVISION,
    description: 'The revision that the stored one must have. Absent or 0: there is none yet.',
    example: 3,
  })
  revision?: number;

  @OpaqueBlob({ maxBytes: MAX_BYTES, description: 'Sealed under a key that follows from the account key.' })
  encrypted_data: OpaqueJson;
}
