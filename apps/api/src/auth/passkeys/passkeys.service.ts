import { Injectable } from '@nestjs/common';
import {
  type Caller,
  invalidField,
  isUuid,
  newId,
  notFound,
  ServiceError,
  validationError,
} from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { Tickets } from '@app/security';
import { AccountsRepository } from '../accounts/accounts.repository';
import { ProofService } from '../accounts/proof.service';
import { NoticesService } from '../email/notices.service';
import { SecurityEventsService } from '../events/security-events.service';
import { SecondStepService } from '../second-step/second-step.service';
import { SessionsService } from '../sessions/sessions.service';
import type {
  AddPasskeyRequest,
  PasskeyLoginRequest,
  PasskeyWrap,
  UpdatePasskeyRequest,
} from './dto/passkey.requests';
import {
  type NewPasskeyOptionsResponse,
  type PasskeyLoginOptionsResponse,
  type PasskeyLoginResponse,
  type PasskeyResponse,
  toPasskeyResponse,
  toUsedPasskey,
} from './dto/passkey.responses';
import { MAX_PASSKEYS, PasskeysRepository } from './passkeys.repository';
import { WebauthnService } from './webauthn.service';

/** The passkeys of an account, and the sign-in with one. The service sees no key that unlocks. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly tickets: Tickets,
    private readonly webauthn: WebauthnService,
    private readonly passkeys: PasskeysRepository,
    private readonly steps: SecondStepService,
    private readonly notices: NoticesService,
  ) {}

  /** @throws ServiceError `passkeys_off`, `current_password_wrong`, `passkeys_exceeded`, `token_revoked`. */
  async newPasskeyOptions(caller: Caller, currentPassword: string): Promise<NewPasskeyOptionsResponse> {
    const { email } = await this.proofs.confirmPassword(caller, currentPassword);
    const existing = await this.passkeys.list(caller);
    if (existing.length >= MAX_PASSKEYS) throw new ServiceError('passkeys_exceeded');
    const { ticket, challenge } = this.tickets.issue('register', caller);
    const handle = handleOf(caller.accountId);
    return { ticket, options: await this.webauthn.creationOptions(challenge, { handle, email, existing }) };
  }

  /**
   * Adds the passkey that was made for a ticket. A repeat gets the same answer.
   *
   * @throws ServiceError `passkeys_off`, `invalid_credentials`, `passkeys_exceeded`, `token_revoked`.
   */
  async add(caller: Caller, request: AddPasskeyRequest): Promise<PasskeyResponse> {
    const wrap = wholeWrapOf(request);
    const ticket = this.tickets.read(request.ticket, 'register');
    const created = await this.webauthn.created(request.response, ticket?.challenge ?? '');
    const isOfCaller =
      ticket?.holder?.accountId === caller.accountId && ticket.holder.tokenVersion === caller.tokenVersion;
    if (!created || !isOfCaller) {
      await assertLiveSession(this.database, caller);
      throw new ServiceError('invalid_credentials');
    }
    return this.database.transaction(async (transaction) => {
      // The lock makes the count true: two requests at once come one after another.
      await this.sessions.lockCaller(transaction, caller);
      const existing = await this.passkeys.list(caller, transaction);
      const same = existing.find(({ credential_id }) => credential_id.equals(created.credentialId));
      if (same?.public_key.equals(created.publicKey)) return toPasskeyResponse(same);
      if (same) throw new ServiceError('invalid_credentials');
      if (existing.length >= MAX_PASSKEYS) throw new ServiceError('passkeys_exceeded');
      const added = await this.passkeys.insert(transaction, caller.accountId, {
        id: newId(),
        credential_id: created.credentialId,
        public_key: created.publicKey,
        counter: created.counter,
        transports: (request.response.response.transports ?? []).join(','),
        backed_up: created.backedUp,
        label: request.label,
        ...wrap,
      });
      await this.events.record(transaction, caller.accountId, 'passkey_added', caller.address);
      return toPasskeyResponse(added);
    });
  }

  /** @throws ServiceError `token_revoked`. */
  async list(caller: Caller): Promise<PasskeyResponse[]> {
    const rows = await this.passkeys.list(caller);
    if (rows.length === 0) await assertLiveSession(this.database, caller);
    return rows.map(toPasskeyResponse);
  }

  /** @throws ServiceError `not_found`, `token_revoked`. */
  async update(caller: Caller, id: string, request: UpdatePasskeyRequest): Promise<PasskeyResponse> {
    const wrap = wholeWrapOf(request);
    if (request.label === undefined && wrap.wrapped_dek === null)
      throw invalidField('body', 'the request changes nothing');
    const row = isUuid(id)
      ? await this.passkeys.update(caller, id, { label: request.label, ...wrap })
      : undefined;
    if (row) return toPasskeyResponse(row);
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** @throws ServiceError `current_password_wrong`, `not_found`, `second_step_unsafe`, `token_revoked`. */
  async remove(caller: Caller, id: string, currentPassword: string): Promise<void> {
    await this.proofs.confirmPassword(caller, currentPassword);
    await this.database.transaction(async (transaction) => {
      await this.sessions.lockCaller(transaction, caller);
      if (!isUuid(id) || !(await this.passkeys.delete(transaction, caller.accountId, id))) throw notFound();
      await this.steps.assertSafe(transaction, caller);
      await this.events.record(transaction, caller.accountId, 'passkey_removed', caller.address);
    });
  }

  /** Names no account and no credential. @throws ServiceError `passkeys_off`. */
  async loginOptions(): Promise<PasskeyLoginOptionsResponse> {
    const { ticket, challenge } = this.tickets.issue('login');
    return { ticket, options: await this.webauthn.requestOptions(challenge) };
  }

  /**
   * Signs in with a passkey. It is not asked for the password, which opens nothing here either.
   *
   * Security: the same answer and the same work for an unknown handle or credential, a wrong signature and a used
   * ticket.
   * @throws ServiceError `passkeys_off`, `invalid_credentials`.
   */
  async login(request: PasskeyLoginRequest, address: string): Promise<PasskeyLoginResponse> {
    const { response } = request;
    const ticket = this.tickets.read(request.ticket, 'login');
    const accountId = accountOf(response.response.userHandle!) ?? newId();
    const passkey = await this.passkeys.find(accountId, Buffer.from(response.id, 'base64url'));
    const proven = await this.webauthn.used(response, ticket?.challenge ?? '', passkey);
    // Before the sign-in makes the address a known one.
    const before = proven && this.notices.isOn ? await this.accounts.find(accountId, { address }) : undefined;
    const answer =
      ticket && passkey && proven
        ? await this.database
            .transaction((transaction) =>
              this.start(transaction, request, address, {
                accountId,
                id: passkey.id,
                issuedAt: ticket.issuedAt,
                ...proven,
              }),
            )
            .catch(ifRefused)
        : undefined;
    if (answer && before) this.notices.tellOfSignIn(before);
    if (answer) return answer;
    this.events.recordRefusal(accountId, 'login_failed', address);
    throw new ServiceError('invalid_credentials');
  }

  /** The account is locked first, as everywhere, so that two transactions never wait for each other. */
  private async start(
    transaction: Executor,
    { device_label: deviceLabel }: PasskeyLoginRequest,
    address: string,
    use: Parameters<PasskeysRepository['use']>[1],
  ): Promise<PasskeyLoginResponse> {
    const account = await this.accounts.lockById(transaction, use.accountId);
    const passkey = account && (await this.passkeys.use(transaction, use));
    if (!passkey) throw new ServiceError('invalid_credentials');
    const start = { kind: 'passkey_login', address, deviceLabel } as const;
    return { ...(await this.sessions.start(transaction, account, start)), passkey: toUsedPasskey(passkey) };
  }
}

/** @throws ServiceError `validation_failed` for a part of a wrap. */
function wholeWrapOf({ wrapped_dek, wrapped_dek_iv, account_key_id }: PasskeyWrap) {
  const wrap = { wrapped_dek, wrapped_dek_iv, account_key_id };
  const missing = Object.entries(wrap).filter(([, value]) => value === undefined);
  if (missing.length % 3 > 0) {
    throw validationError(
      missing.map(([field]) => ({
        field,
        message: `${field} must be sent with the other parts of the wrap`,
      })),
    );
  }
  return {
    wrapped_dek: wrapped_dek ?? null,
    wrapped_dek_iv: wrapped_dek_iv ?? null,
    account_key_id: account_key_id ?? null,
  };
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof ServiceError && error.code === 'invalid_credentials')) throw error;
}

/** The account id in 16 bytes: what an authenticator keeps as the handle of its user. */
function handleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'));
}

function accountOf(handle: string): string | undefined {
  const digits = Buffer.from(handle, 'base64url').toString('hex');
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return isUuid(id) ? id : undefined;
}
