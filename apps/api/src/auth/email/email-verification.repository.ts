import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, type Statement } from '@app/database';

/** A link is good for this time, and so is the claim of an unverified account to its address. */
export const VERIFICATION_HOURS = 24;
/** A further link is sent after this time only, so that nobody fills a mailbox with them. */
const RESEND_MINUTES = 15;

/** It does not raise the revision: no answer shows these columns. */
const BEGIN: Statement = {
  name: 'verifications begin',
  text: `UPDATE accounts SET verification_token = $3, verification_expires = now() + interval '${VERIFICATION_HOURS} hours'
    WHERE id = $1 AND token_version = $2 AND NOT email_verified AND (verification_expires IS NULL
      OR verification_expires < now() + interval '${VERIFICATION_HOURS} hours' - interval '${RESEND_MINUTES} minutes')
      AND EXISTS (SELECT 1 FROM sessions s WHERE s.account_id = $1 AND s.id = $4)
    RETURNING email`,
};
/** Nobody has a link that is good. */
const BEGIN_FOR_HOLDER: Statement = {
  name: 'verifications begin for holder',
  text: `UPDATE accounts SET verification_token = $2, verification_expires = now() + interval '${VERIFICATION_HOURS} hours'
    WHERE id = $1 AND NOT email_verified AND verification_expires < now() RETURNING id`,
};
/** For an address that the account has had since this transaction. */
const BEGIN_ANEW: Statement = {
  name: 'verifications begin anew',
  text: `UPDATE accounts SET verification_token = $2, verification_expires = now() + interval '${VERIFICATION_HOURS} hours'
    WHERE id = $1`,
};
const FIND: Statement = {
  name: 'verifications find',
  text: `SELECT 1 AS found FROM accounts WHERE id = $1 AND verification_token = $2 AND verification_expires > now()`,
};
const COMPLETE: Statement = {
  name: 'verifications complete',
  text: `UPDATE accounts SET email_verified = true, verification_token = NULL, verification_expires = NULL,
      revision = revision + 1, updated_at = now()
    WHERE id = $1 AND verification_token = $2 AND verification_expires > now() RETURNING id`,
};

const RELEASE: Statement = {
  name: 'verifications release',
  text: `UPDATE accounts SET email = $3, verification_token = NULL, verification_expires = NULL,
      revision = revision + 1, updated_at = now()
    WHERE id = $1 AND verification_token = $2 AND verification_expires > now() AND NOT email_verified RETURNING id`,
};

/** The proof that an account's address is its owner's. */
@Injectable()
export class EmailVerificationRepository {
  constructor(private readonly database: Database) {}

  /** Stores the hash of a new link. @returns the address; `undefined` if no link is to be sent now. */
  async begin(caller: Caller, tokenHash: string): Promise<string | undefined> {
    const values = [caller.accountId, caller.tokenVersion, tokenHash, caller.sessionId];
    return (await this.database.query<{ email: string }>(BEGIN, values))[0]?.email;
  }

  /** As `begin`, for the account that has an address which somebody else wants. @returns whether a link is to be sent. */
  async beginForHolder(accountId: string, tokenHash: string): Promise<boolean> {
    return (await this.database.query(BEGIN_FOR_HOLDER, [accountId, tokenHash])).length > 0;
  }

  async beginAnew(transaction: Executor, accountId: string, tokenHash: string): Promise<void> {
    await transaction.query(BEGIN_ANEW, [accountId, tokenHash]);
  }

  /** Security: for requests without a token, so it only reads. */
  async isValid(accountId: string, tokenHash: string): Promise<boolean> {
    return (await this.database.strangers.query(FIND, [accountId, tokenHash])).length > 0;
  }

  /** @returns `false` if the link was used or replaced meanwhile. */
  async complete(transaction: Executor, accountId: string, tokenHash: string): Promise<boolean> {
    return (await transaction.query(COMPLETE, [accountId, tokenHash])).length > 0;
  }

  /** Gives the account another address. @returns `false` if the link was used or replaced meanwhile. */
  async release(
    transaction: Executor,
    accountId: string,
    tokenHash: string,
    email: string,
  ): Promise<boolean> {
    return (await transaction.query(RELEASE, [accountId, tokenHash, email])).length > 0;
  }
}
