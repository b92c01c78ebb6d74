import { IntegerField, TextField, UuidField } from '@app/http';
import { OpaqueBlob, type OpaqueJson, OpaqueParts } from '@app/opaque';
import { MAX_REVISION } from './trust-book.request';

/** More would hold the row of the account's usage for long. */
const MAX_RECORDS = 200;
const MAX_PROOF_LENGTH = 256;

/** A record of before, sealed under another key: `revision` and `encrypted_data`. A dose: `former_proof` and `proof`. */
export class ResealedRecordRequest {
  @UuidField({ example: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22' })
  id: string;

  @IntegerField({
    optional: true,
    min: 1,
    max: MAX_REVISION,
    description: 'The revision that it must have.',
    example: 3,
  })
  revision?: number;

  @OpaqueBlob({ optional: true, description: 'The same content under the new key.' })
  encrypted_data?: OpaqueJson;

  @TextField({
    optional: true,
    min: 1,
    max: MAX_PROOF_LENGTH,
    description: 'The proof that the dose must have.',
    example: 'cHJvb2Y=',
  })
  former_proof?: string;

  @TextField({
    optional: true,
    min: 1,
    max: MAX_PROOF_LENGTH,
    description: 'The proof under the new key.',
    example: 'cHJvb2Y=',
  })
  proof?: string;
}

export class ResealRequest {
  @TextField({ min: 1, max: 64, description: 'As in the feed. All but `profile`.', example: 'medication' })
  kind: string;

  @OpaqueParts(ResealedRecordRequest, {
    most: MAX_RECORDS,
    example: {
      id: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c22',
      revision: 3,
      encrypted_data: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
    },
  })
  records: ResealedRecordRequest[];
}
