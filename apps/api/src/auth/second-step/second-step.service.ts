import { Injectable } from '@nestjs/common';
import { type Caller, Clock, ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { SealedSecrets, Tickets } from '@app/security';
import { ProofService } from '../accounts/proof.service';
import { SecurityEventsService } from '../events/security-events.service';
import { SessionsService } from '../sessions/sessions.service';
import type { ConfirmTotpRequest, RequireSecondStepRequest } from './dto/second-step.requests';
import type { NewTotpResponse, SecondStepResponse } from './dto/second-step.responses';
import { SecondStepRepository } from './second-step.repository';
import { isSafe } from './second-step.rule';
import { newTotpSecret, shownToApp, stepOfCode } from './totp.rule';

/** Whether an account asks for a second step, and the app whose codes it takes. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly database: Database,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly tickets: Tickets,
    private readonly sealed: SealedSecrets,
    private readonly clock: Clock,
    private readonly steps: SecondStepRepository,
  ) {}

  /** @throws ServiceError `token_revoked`. */
  async state(caller: Caller): Promise<SecondStepResponse> {
    const state = await this.steps.state(caller);
    if (!state) throw new ServiceError('token_revoked');
    return { required: state.isRequired, totp: state.hasTotp };
  }

  /** @throws ServiceError `current_password_wrong`, `second_step_unsafe`, `token_revoked`. */
  async require(
    caller: Caller,
    { current_password, required }: RequireSecondStepRequest,
  ): Promise<SecondStepResponse> {
    await this.proofs.confirmPassword(caller, current_password);
    return this.database.transaction(async (transaction) => {
      await this.sessions.lockCaller(transaction, caller);
      const state = (await this.steps.state(caller, transaction))!;
      if (required && !isSafe(state)) throw new ServiceError('second_step_unsafe');
      if (await this.steps.require(transaction, caller.accountId, required)) {
        const kind = required ? 'second_step_on' : 'second_step_off';
        await this.events.record(transaction, caller.accountId, kind, caller.address);
      }
      return { required, totp: state.hasTotp };
    });
  }

  /**
   * Makes a secret for an app. It is in the ticket, sealed: nothing is stored before the app shows a right code.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`.
   */
  async newTotp(caller: Caller, currentPassword: string): Promise<NewTotpResponse> {
    const { email } = await this.proofs.confirmPassword(caller, currentPassword);
    const secret = newTotpSecret();
    const { ticket } = this.tickets.issue('totp', caller, this.sealed.seal(caller.accountId, secret));
    return { ticket, ...shownToApp(secret, email) };
  }

  /**
   * The app takes the place of the one before. A repeat changes nothing.
   *
   * @throws ServiceError `invalid_credentials` for a dead ticket, `second_step_wrong`, `token_revoked`.
   */
  async confirmTotp(caller: Caller, { ticket: text, code }: ConfirmTotpRequest): Promise<void> {
    const ticket = this.tickets.read(text, 'totp');
    const isOfCaller =
      ticket?.holder?.accountId === caller.accountId && ticket.holder.tokenVersion === caller.tokenVersion;
    const secret =
      isOfCaller && ticket.sealed ? this.sealed.open(caller.accountId, ticket.sealed)?.secret : undefined;
    const step = secret && stepOfCode(secret, code, this.clock.now());
    await this.database.transaction(async (transaction) => {
      await this.sessions.lockCaller(transaction, caller);
      if (!secret) throw new ServiceError('invalid_credentials');
      if (step === undefined) throw new ServiceError('second_step_wrong');
      const before = await this.steps.find(caller.accountId, transaction);
      if (before?.equals(secret)) return;
      await this.steps.put(transaction, caller.accountId, secret, step);
    });
  }

  /** @throws ServiceError `current_password_wrong`, `second_step_unsafe`, `token_revoked`. */
  async removeTotp(caller: Caller, currentPassword: string): Promise<void> {
    await this.proofs.confirmPassword(caller, currentPassword);
    await this.database.transaction(async (transaction) => {
      await this.sessions.lockCaller(transaction, caller);
      await this.steps.delete(transaction, caller.accountId);
      await this.assertSafe(transaction, caller);
    });
  }

  /**
   * After something was taken away in the same transaction.
   *
   * @throws ServiceError `second_step_unsafe` if the account asks for a second step that a loss would lock.
   */
  async assertSafe(transaction: Executor, caller: Caller): Promise<void> {
    const state = await this.steps.state(caller, transaction);
    if (state?.isRequired && !isSafe(state)) throw new ServiceError('second_step_unsafe');
  }

  /** The recovery phrase was right: a lost app locks nobody out. Passkeys stay. */
  async switchOff(transaction: Executor, accountId: string, address: string): Promise<void> {
    await this.steps.delete(transaction, accountId);
    if (await this.steps.require(transaction, accountId, false))
      await this.events.record(transaction, accountId, 'second_step_off', address);
  }
}
