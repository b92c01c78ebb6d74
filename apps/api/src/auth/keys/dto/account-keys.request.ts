import { Base64Field, SharingPublicField } from '../identity.field';

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
