import type { HttpAnswer } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import type { OwnIdentity, StoredIdentity } from './formats/identity';

/** Where the identity of an account is stored. */
export const IDENTITY_PATH = '/api/users/me/keys';

/** The answer of `GET /api/users/me/keys`. Nothing of it is checked. @throws ProtocolError */
export function readStoredIdentity({ body }: Pick<HttpAnswer, 'body'>): StoredIdentity {
  const reader = new ObjectReader(body, 'keys');
  return {
    sharing_public: reader.text('sharing_public'),
    signing_public: reader.text('signing_public'),
    wrapped: reader.text('wrapped'),
    wrapped_iv: reader.text('wrapped_iv'),
  };
}

/** The body of a write. */
export function storedFormOf({ sharing, signing, wrapped }: OwnIdentity): StoredIdentity {
  return {
    sharing_public: sharing,
    signing_public: signing,
    wrapped: wrapped.wrapped,
    wrapped_iv: wrapped.iv,
  };
}
