import { Injectable } from '@nestjs/common';
import { type Caller, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { AccountsRepository } from '../accounts/accounts.repository';
import { LoginsService } from '../accounts/logins.service';
import { SecurityEventsService } from '../events/security-events.service';
import type { ReleaseEmailResponse, VerifyEmailResponse } from './dto/email.responses';
import { EmailVerificationRepository } from './email-verification.repository';
import { Mailer } from './mailer.service';
import { NoticesService } from './notices.service';
import {
  accountOfVerificationToken,
  hashOfVerificationToken,
  newVerificationToken,
} from './verification-token.rule';

export interface NewLink {
  store(transaction: Executor): Promise<void>;
  send(): void;
}

const NO_LINK: NewLink = { store: () => Promise.resolve(), send: () => undefined };

/** People confirm their address by a link in a mail. Without `SMTP_URL` there is nothing here. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly database: Database,
    private readonly verifications: EmailVerificationRepository,
    private readonly accounts: AccountsRepository,
    private readonly logins: LoginsService,
    private readonly events: SecurityEventsService,
    private readonly notices: NoticesService,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Sends a link to the caller's address, unless it is confirmed already or a link was sent a moment ago.
   *
   * @throws ServiceError `not_found` without `SMTP_URL`, `token_revoked`.
   */
  async request(caller: Caller): Promise<void> {
    if (!this.mailer.isOn) throw notFound();
    const token = newVerificationToken(caller.accountId);
    const email = await this.verifications.begin(caller, hashOfVerificationToken(token));
    if (email === undefined) return assertLiveSession(this.database, caller);
    this.notices.askToConfirm(email, token);
  }

  /**
   * A link for an address that an account gets in a transaction: store it there, and send it afterwards. Without
   * `SMTP_URL` both do nothing.
   */
  linkFor(accountId: string, email: string): NewLink {
    if (!this.mailer.isOn) return NO_LINK;
    const token = newVerificationToken(accountId);
    return {
      store: (transaction) =>
        this.verifications.beginAnew(transaction, accountId, hashOfVerificationToken(token)),
      send: () => this.notices.askToConfirm(email, token),
    };
  }

  /**
   * Does what needs an address that may belong to an account which never confirmed it. If it is taken, its mailbox gets a
   * link, by which its reader confirms or frees it: at most one a day.
   *
   * @throws the errors of `work`.
   */
  async takeAddress<T>(email: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.mailer.isOn && error instanceof ServiceError && error.code === 'email_taken')
        await this.askHolder(email);
      throw error;
    }
  }

  /** @throws ServiceError `not_found` without `SMTP_URL`, `verification_invalid`. */
  async verify(token: string, address: string): Promise<VerifyEmailResponse> {
    await this.useLink(token, async (transaction, accountId, hash) => {
      if (!(await this.verifications.complete(transaction, accountId, hash))) throw refused();
      await this.events.record(transaction, accountId, 'email_verified', address);
    });
    return { email_verified: true };
  }

  /**
   * Frees the address: its mailbox says that the account is somebody else's. The account keeps its records, sessions and
   * password, under an address that nobody has.
   *
   * @throws ServiceError `not_found` without `SMTP_URL`, `verification_invalid`.
   */
  async release(token: string, address: string): Promise<ReleaseEmailResponse> {
    await this.useLink(token, async (transaction, accountId, hash) => {
      const account = await this.accounts.lockById(transaction, accountId);
      const email = `${accountId}@released.invalid`;
      if (!account || !(await this.verifications.release(transaction, accountId, hash, email)))
        throw refused();
      await this.logins.rename(transaction, account, email);
      await this.events.record(transaction, accountId, 'email_released', address);
    });
    return { email_released: true };
  }

  private async useLink(
    token: string,
    work: (transaction: Executor, accountId: string, hash: string) => Promise<void>,
  ): Promise<void> {
    if (!this.mailer.isOn) throw notFound();
    const accountId = accountOfVerificationToken(token);
    const hash = hashOfVerificationToken(token);
    if (accountId === undefined || !(await this.verifications.isValid(accountId, hash))) throw refused();
    await this.database.transaction((transaction) => work(transaction, accountId, hash));
  }

  private async askHolder(email: string): Promise<void> {
    const login = await this.logins.find(email);
    if (!login) return;
    const accountId = login.account_id;
    const token = newVerificationToken(accountId);
    if (await this.verifications.beginForHolder(accountId, hashOfVerificationToken(token)))
      this.notices.askToConfirm(email, token);
  }
}

function refused(): ServiceError {
  return new ServiceError('verification_invalid');
}
