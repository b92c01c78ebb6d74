import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, type Executor, Housekeeping, type Statement } from '@app/database';
import { SealedSecrets } from '@app/security';
import { NIL } from 'uuid';
import type { TotpFactorEntity } from './entities/totp-factor.entity';
import type { Factors } from './second-step.rule';

const STATE: Statement = {
  name: 'second step state',
  text: `SELECT a.second_step AS "isRequired", a.recovery_enabled AS "hasPhrase",
      (SELECT count(*) FROM passkeys p WHERE p.account_id = $1) AS passkeys,
      EXISTS (SELECT 1 FROM totp_factors t WHERE t.account_id = $1) AS "hasTotp"
    FROM accounts a WHERE a.id = $1 AND a.token_version = $2`,
};
const REQUIRE: Statement = {
  name: 'second step require',
  text: 'UPDATE accounts SET second_step = $2 WHERE id = $1 AND second_step <> $2 RETURNING id',
};
const FIND: Statement = {
  name: 'totp find',
  text: 'SELECT secret FROM totp_factors WHERE account_id = $1',
};
const PUT: Statement = {
  name: 'totp put',
  text: `INSERT INTO totp_factors (account_id, secret, last_step) VALUES ($1, $2, $3) ON CONFLICT (account_id)
    DO UPDATE SET secret = excluded.secret, last_step = excluded.last_step, created_at = excluded.created_at`,
};
/** Of many uses of one code one succeeds, and an older code never does. */
const USE: Statement = {
  name: 'totp use',
  text: `UPDATE totp_factors SET last_step = $2 WHERE account_id = $1 AND last_step < $2 RETURNING account_id`,
};
const DELETE: Statement = {
  name: 'totp delete',
  text: 'DELETE FROM totp_factors WHERE account_id = $1 RETURNING account_id',
};

const PAGE: Statement = {
  name: 'operator totp page',
  text: 'SELECT account_id, secret FROM totp_factors WHERE account_id > $1 ORDER BY account_id LIMIT 500',
};
const SEAL_ANEW: Statement = {
  name: 'operator totp seal anew',
  text: 'UPDATE totp_factors SET secret = $3 WHERE account_id = $1 AND secret = $2',
};

export interface SecondStepState extends Factors {
  isRequired: boolean;
}

@Injectable()
export class SecondStepRepository {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedSecrets,
    housekeeping: Housekeeping,
  ) {
    if (sealed.isBeingReplaced) housekeeping.add(() => this.sealAllAnew());
  }

  /** @returns `undefined` if the caller's tokens are no longer valid. */
  async state(
    { accountId, tokenVersion }: Caller,
    executor: Executor = this.database,
  ): Promise<SecondStepState | undefined> {
    return (await executor.query<SecondStepState>(STATE, [accountId, tokenVersion]))[0];
  }

  /** @returns whether this has changed it. */
  async require(transaction: Executor, accountId: string, isRequired: boolean): Promise<boolean> {
    return (await transaction.query(REQUIRE, [accountId, isRequired])).length > 0;
  }

  /** @returns the secret of the app, opened. */
  async find(accountId: string, executor: Executor = this.database.strangers): Promise<Buffer | undefined> {
    const [row] = await executor.query<Pick<TotpFactorEntity, 'secret'>>(FIND, [accountId]);
    return row && this.sealed.open(accountId, row.secret)?.secret;
  }

  /** @param step of the code that has shown the secret to be right. */
  async put(transaction: Executor, accountId: string, secret: Buffer, step: number): Promise<void> {
    await transaction.query(PUT, [accountId, this.sealed.seal(accountId, secret), step]);
  }

  /** @returns `false` if this code or a later one was used already. */
  async use(transaction: Executor, accountId: string, step: number): Promise<boolean> {
    return (await transaction.query(USE, [accountId, step])).length > 0;
  }

  async delete(transaction: Executor, accountId: string): Promise<void> {
    await transaction.query(DELETE, [accountId]);
  }

  /** Once the former secret has sealed nothing any more, an operator can take it away. */
  private async sealAllAnew(): Promise<void> {
    type Row = Pick<TotpFactorEntity, 'account_id' | 'secret'>;
    let page: Row[];
    let after: string = NIL;
    do {
      page = await this.database.query<Row>(PAGE, [after]);
      for (const { account_id: id, secret } of page) {
        const opened = this.sealed.open(id, secret);
        if (opened && !opened.isPresent)
          await this.database.query(SEAL_ANEW, [id, secret, this.sealed.seal(id, opened.secret)]);
      }
      after = page.at(-1)?.account_id ?? after;
    } while (page.length > 0);
  }
}
