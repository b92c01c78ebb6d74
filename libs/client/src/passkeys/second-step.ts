import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import type { Json, JsonObject } from '../json';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions, SecondStepper } from '../records/record-types';
import { PasskeyError } from './passkey-error';
import type {
  NewApp,
  PasskeyParts,
  SecondStepAsked,
  SecondStepChoice,
  SecondSteps,
  SecondStepState,
} from './passkey-types';
import type { WebAuthenticator } from './web-authenticator';

const PATH = '/api/users/me/second-step';

/** The second step of the account, as it is set up. */
export class ClientSecondSteps implements SecondSteps {
  constructor(private readonly client: Pick<PasskeyParts, 'transport' | 'account'>) {}

  async state(options: CallOptions = {}): Promise<SecondStepState> {
    const { body } = await this.client.transport.send({ method: 'GET', path: PATH, ...signalOf(options) });
    return readState(body);
  }

  async set(
    isRequired: boolean,
    currentPassword: string,
    options: CallOptions = {},
  ): Promise<SecondStepState> {
    return readState(await this.#stepUp('PUT', '', { required: isRequired }, currentPassword, options));
  }

  async addApp(currentPassword: string, options: CallOptions = {}): Promise<NewApp> {
    const body = await this.#stepUp('POST', '/totp', {}, currentPassword, options);
    const reader = new ObjectReader(body, 'app');
    return { secret: reader.text('secret'), uri: reader.text('uri'), ticket: reader.text('ticket') };
  }

  async confirmApp(ticket: string, code: string, options: CallOptions = {}): Promise<void> {
    await this.client.transport.send({
      method: 'POST',
      path: `${PATH}/totp/confirm`,
      body: { ticket, code: digitsOf(code) },
      replayable: true,
      ...signalOf(options),
    });
  }

  async removeApp(currentPassword: string, options: CallOptions = {}): Promise<void> {
    await this.#stepUp('POST', '/totp/delete', {}, currentPassword, options);
  }

  async #stepUp(
    method: 'POST' | 'PUT',
    path: string,
    fields: JsonObject,
    currentPassword: string,
    options: CallOptions,
  ): Promise<unknown> {
    const { own } = await this.client.account.reauthenticate(currentPassword, options);
    const body = { current_password: own.authSecret, ...fields };
    const answer = await this.client.account.stepUp({
      method,
      path: PATH + path,
      body,
      ...signalOf(options),
    });
    return answer.body;
  }
}

/** Asks until a second step is right, or `choose` refuses. */
export function secondStepper(
  choose: (asked: SecondStepAsked) => Promise<SecondStepChoice>,
  authenticator: WebAuthenticator,
): SecondStepper {
  return async (asked, send) => {
    const reader = new ObjectReader(asked, 'second step');
    const ticket = reader.text('ticket');
    const methods = reader.raw('methods');
    const has = (method: string) => Array.isArray(methods) && methods.includes(method);
    const options = reader.raw('passkey_options');
    let failure: unknown;
    for (;;) {
      const choice = await choose({ hasApp: has('totp'), hasPasskey: has('passkey'), failure });
      try {
        return await send({ ticket, ...(await stepOf(choice, options, authenticator)) });
      } catch (error) {
        const mayGoOn =
          error instanceof PasskeyError ||
          (error instanceof ApiError && ['second_step_wrong', 'rate_limited'].includes(error.code));
        if (!mayGoOn) throw error;
        failure = error;
      }
    }
  };
}

async function stepOf(
  choice: SecondStepChoice,
  options: Json | undefined,
  authenticator: WebAuthenticator,
): Promise<JsonObject> {
  if (choice !== 'passkey') return { code: digitsOf(choice.code) };
  if (!options) throw new PasskeyError('passkey_unavailable', 'The account has no passkey.');
  const { response } = await authenticator.get(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return { response: response as unknown as Json };
}

/** Apps show the six digits in two groups. */
function digitsOf(code: string): string {
  return code.replace(/\s/g, '');
}

function readState(body: unknown): SecondStepState {
  const reader = new ObjectReader(body, 'second step');
  return { isRequired: reader.boolean('required'), hasApp: reader.boolean('totp') };
}
