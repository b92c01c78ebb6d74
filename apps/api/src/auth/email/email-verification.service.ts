import { Injectable } from '@nestjs/common';
import { type Caller, notFound, ServiceError } from '@app/common';
import { assertLiveSession, Database, type Executor } from '@app/database';
import { SecurityEventsService } from '../events/security-events.service';
import type { VerifyEmailResponse } from './dto/verify-email.response';
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

  /** @throws ServiceError `not_found` without `SMTP_URL`, `verification_invalid`. */
  async verify(token: string, address: string): Promise<VerifyEmailResponse> {
    if (!this.mailer.isOn) throw notFound();
    const accountId = accountOfVerificationToken(token);
    const hash = hashOfVerificationToken(token);
    if (accountId === undefined || !(await this.verifications.isValid(accountId, hash))) throw refused();
    await this.database.transaction(async (transaction) => {
      if (!(await this.verifications.complete(transaction, accountId, hash))) throw refused();
      await this.events.record(transaction, accountId, 'email_verified', address);
    });
    return { email_verified: true };
  }
}

function refused(): ServiceError {
  return new ServiceError('verification_invalid');
}
