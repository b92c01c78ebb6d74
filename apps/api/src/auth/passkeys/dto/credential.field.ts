import { ReadField } from '@app/http';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

const MAX_ID_LENGTH = 1366;
const MAX_PART_LENGTH = 16_384;
const MAX_TRANSPORTS = 8;
const EXAMPLE = { id: 'uS1p3rXk0cJb2m8bq1y4wg', type: 'public-key', clientExtensionResults: {} };
const CREATED = {
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  attestationObject: 'o2NmbXRkbm9uZQ',
  transports: ['internal'],
};
const USED = {
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticatorData: 'SZYN5YgOjGh0NBcP',
  signature: 'MEUCIQD4abcd',
  userHandle: 'AZlMXp9SfWuxpGofDw58EQ',
};
const RULE = 'must be the answer of navigator.credentials in JSON, without results of PRF';

type Members = Record<string, unknown>;
/** The members that both answers have. */
type Common = Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'clientExtensionResults'>;

/** What `navigator.credentials.create` has answered. */
export function CreatedCredentialField(): PropertyDecorator {
  return ReadField(
    {},
    {
      name: 'createdCredential',
      rule: RULE,
      read: (value): RegistrationResponseJSON | undefined => {
        const { credential, response } = partsOf(value);
        if (!credential || !isEncoded(response.clientDataJSON) || !isEncoded(response.attestationObject))
          return undefined;
        const { clientDataJSON, attestationObject, transports = [] } = response;
        if (
          !Array.isArray(transports) ||
          transports.length > MAX_TRANSPORTS ||
          !transports.every(isTransport)
        )
          return undefined;
        return { ...credential, response: { clientDataJSON, attestationObject, transports } };
      },
    },
    { type: Object, additionalProperties: true, example: { ...EXAMPLE, response: CREATED } },
  );
}

/**
 * What `navigator.credentials.get` has answered.
 * @param isNamed whether the options named the passkeys of the account: then some authenticators give no handle.
 */
export function UsedCredentialField({ optional = false, isNamed = false } = {}): PropertyDecorator {
  return ReadField(
    { optional },
    {
      name: 'usedCredential',
      rule: RULE,
      read: (value): AuthenticationResponseJSON | undefined => {
        const { credential, response } = partsOf(value);
        const { clientDataJSON, authenticatorData, signature, userHandle } = response;
        if (
          !credential ||
          ![clientDataJSON, authenticatorData, signature].every((each) => isEncoded(each)) ||
          !(isEncoded(userHandle) || (isNamed && (userHandle === undefined || userHandle === null)))
        )
          return undefined;
        return {
          ...credential,
          response: { clientDataJSON, authenticatorData, signature, userHandle } as never,
        };
      },
    },
    { type: Object, additionalProperties: true, example: { ...EXAMPLE, response: USED } },
  );
}

/**
 * The members that both have. Others are dropped: browsers add some with time.
 *
 * Security: a client that forgets to delete the results of PRF would send the key that unlocks. It must learn so
 * while it is written.
 */
function partsOf(value: unknown): { credential?: Common; response: Members } {
  const { id, rawId = id, type, response, clientExtensionResults = {} } = membersOf(value) ?? {};
  const extensions = membersOf(clientExtensionResults);
  const parts = membersOf(response);
  const isRight =
    isEncoded(id, MAX_ID_LENGTH) &&
    rawId === id &&
    type === 'public-key' &&
    extensions &&
    !('prf' in extensions);
  if (!isRight || !parts) return { response: {} };
  const credential = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  return { credential, response: parts };
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

/** Whether it is base64url without padding. */
function isEncoded(value: unknown, max = MAX_PART_LENGTH): value is string {
  return typeof value === 'string' && value.length <= max && /^[\w-]+$/.test(value);
}

function isTransport(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z-]{1,32}$/.test(value);
}
