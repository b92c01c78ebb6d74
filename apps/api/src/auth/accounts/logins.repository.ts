import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Database, type Executor, type Statement } from '@app/database';
import type { NewKdf } from '@app/security';
import type { LoginEntity } from './entities/login.entity';

const FIND: Statement = {
  name: 'logins find',
  text: 'SELECT email, account_id, kdf, kdf_iterations, kdf_salt FROM logins WHERE email = $1',
};
/** No row is returned if the email is taken. The error of a shard of Citus would not name its constraint. */
const INSERT: Statement = {
  name: 'logins insert',
  text: `INSERT INTO logins (email, account_id, kdf, kdf_iterations, kdf_salt) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (email) DO NOTHING RETURNING email`,
};
const SET_KDF: Statement = {
  name: 'logins set kdf',
  text: `UPDATE logins SET kdf = $3, kdf_iterations = $4 WHERE email = $1 AND account_id = $2
    AND kdf_iterations <= $4 AND ($5::text IS NULL OR kdf_salt = $5) RETURNING email`,
};
const DELETE: Statement = {
  name: 'logins delete',
  text: 'DELETE FROM logins WHERE email = $1 AND account_id = $2 RETURNING kdf, kdf_iterations, kdf_salt',
};

type Kdf = Pick<LoginEntity, 'kdf' | 'kdf_iterations' | 'kdf_salt'>;

/** Maps an email to an account. The rows of this table are found by email, not by account. */
@Injectable()
export class LoginsRepository {
  constructor(private readonly database: Database) {}

  async find(email: string): Promise<LoginEntity | undefined> {
    return (await this.database.strangers.query<LoginEntity>(FIND, [email]))[0];
  }

  /** @throws ServiceError `email_taken`. */
  async insert(transaction: Executor, login: LoginEntity): Promise<void> {
    const values = [login.email, login.account_id, login.kdf, login.kdf_iterations, login.kdf_salt];
    const rows = await transaction.query(INSERT, values);
    if (rows.length === 0) throw new ServiceError('email_taken');
  }

  /** @returns `false` for a cost below the stored one, and for another salt than the stored one. */
  async setKdf(transaction: Executor, email: string, accountId: string, to: NewKdf): Promise<boolean> {
    const values = [email, accountId, to.kdf, to.iterations, to.salt ?? null];
    return (await transaction.query(SET_KDF, values)).length > 0;
  }

  /** @returns the key derivation for this email; `undefined` if it was deleted before. */
  async delete(transaction: Executor, email: string, accountId: string): Promise<Kdf | undefined> {
    return (await transaction.query<Kdf>(DELETE, [email, accountId]))[0];
  }
}
