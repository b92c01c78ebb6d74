import { Injectable } from '@nestjs/common';
import { Clock, invalidField, ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { RateLimits, type Ticket, Tickets } from '@app/security';
import { AccountsRepository, type FoundAccount } from '../accounts/accounts.repository';
import type { AccountEntity } from '../accounts/entities/account.entity';
import { NoticesService } from '../email/notices.service';
import { SecurityEventsService } from '../events/security-events.service';
import { PasskeysRepository } from '../passkeys/passkeys.repository';
import { WebauthnService } from '../passkeys/webauthn.service';
import type { AuthenticationResponse } from '../sessions/dto/authentication.response';
import { SessionsService } from '../sessions/sessions.service';
import type { SecondStepRequest } from './dto/second-step.requests';
import { SecondStepRepository } from './second-step.repository';
import { stepOfCode } from './totp.rule';

/** The sign-in of an account that asks for more than its password. */
@Injectable()
export class SecondStepSignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly limits: RateLimits,
    private readonly tickets: Tickets,
    private readonly clock: Clock,
    private readonly webauthn: WebauthnService,
    private readonly passkeys: PasskeysRepository,
    private readonly steps: SecondStepRepository,
    private readonly notices: NoticesService,
  ) {}

  /**
   * What an account with a second step gets for its right password. It is no sign-in, and opens nothing.
   *
   * @returns the error `second_step_required`, with a ticket, for five minutes, and the ways to go on.
   */
  async asked({ id, token_version }: AccountEntity): Promise<ServiceError> {
    const holder = { accountId: id, tokenVersion: token_version };
    const { ticket, challenge } = this.tickets.issue('second-step', holder);
    const passkeys = this.webauthn.isOn ? await this.passkeys.ofAccount(id) : [];
    const hasTotp = (await this.steps.find(id)) !== undefined;
    const methods = [...(hasTotp ? ['totp'] : []), ...(passkeys.length > 0 ? ['passkey'] : [])];
    const options =
      passkeys.length > 0 ? { passkey_options: await this.webauthn.requestOptions(challenge, passkeys) } : {};
    return new ServiceError('second_step_required', { body: { ticket, methods, ...options } });
  }

  /**
   * A wrong code uses up a try of the account, which only somebody with the right password has. A passkey is not
   * counted: it cannot be guessed.
   *
   * @throws ServiceError `invalid_credentials` for a dead ticket, `second_step_wrong`, `rate_limited`, `overloaded`.
   */
  async signIn(request: SecondStepRequest, address: string): Promise<AuthenticationResponse> {
    const { code, response, device_token: deviceToken } = request;
    if ((code === undefined) === (response === undefined))
      throw invalidField('code', 'code or response must be sent, and one of them');
    const ticket = this.tickets.read(request.ticket, 'second-step');
    const account =
      ticket?.holder && (await this.accounts.find(ticket.holder.accountId, { address, deviceToken }));
    if (!account?.second_step || account.token_version !== ticket!.holder!.tokenVersion)
      throw new ServiceError('invalid_credentials');
    const open = (use: Use) => this.open(account, request, address, use);
    const answer =
      code === undefined
        ? await this.byPasskey(account.id, ticket!, response!, open)
        : await this.byCode(account.id, code, open);
    if (answer) this.notices.tellOfSignIn(account);
    if (answer) return answer;
    this.events.recordRefusal(account.id, 'second_step_failed', address);
    throw new ServiceError('second_step_wrong');
  }

  private async byCode(accountId: string, code: string, open: Open): Promise<Answer> {
    let answer: Answer;
    await this.limits.tryCode(accountId, async () => {
      const secret = await this.steps.find(accountId);
      const step = secret && stepOfCode(secret, code, this.clock.now());
      if (step === undefined) return false;
      answer = await open((transaction) => this.steps.use(transaction, accountId, step));
      return answer !== undefined;
    });
    return answer;
  }

  private async byPasskey(
    accountId: string,
    { challenge, issuedAt }: Ticket,
    response: NonNullable<SecondStepRequest['response']>,
    open: Open,
  ): Promise<Answer> {
    const passkey = await this.passkeys.find(accountId, Buffer.from(response.id, 'base64url'));
    const proven = await this.webauthn.used(response, challenge, passkey);
    if (!passkey || !proven) return undefined;
    const use = { accountId, id: passkey.id, issuedAt, ...proven };
    return open(async (transaction) => (await this.passkeys.use(transaction, use)) !== undefined);
  }

  /** @returns `undefined` if the second step was used already. */
  private open(
    account: FoundAccount,
    { device_label: deviceLabel, remember_device: remember }: SecondStepRequest,
    address: string,
    use: Use,
  ): Promise<Answer> {
    const { device_hash: knownHash } = account;
    return this.database.transaction(async (transaction) => {
      // The password may have changed since it was checked.
      if (!(await this.accounts.lock(transaction, account))) throw new ServiceError('invalid_credentials');
      if (!(await use(transaction))) return undefined;
      const start = { kind: 'login', address, deviceLabel, knownHash, remember } as const;
      return this.sessions.start(transaction, account, start);
    });
  }
}

type Answer = AuthenticationResponse | undefined;
/** Uses the second step up. @returns whether it was not used before. */
type Use = (transaction: Executor) => Promise<boolean>;
type Open = (use: Use) => Promise<Answer>;
