import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, Housekeeping, type Statement } from '@app/database';

const INSERT: Statement = {
  name: 'invites insert',
  text: `INSERT INTO invites (code_hash, uses_left, expires_at)
    VALUES ($1, $2, now() + make_interval(days => $3)) RETURNING expires_at`,
};
const FIND: Statement = {
  name: 'invites find',
  text: 'SELECT 1 AS found FROM invites WHERE code_hash = $1 AND uses_left > 0 AND expires_at > now()',
};
const USE: Statement = {
  name: 'invites use',
  text: `UPDATE invites SET uses_left = uses_left - 1
    WHERE code_hash = $1 AND uses_left > 0 AND expires_at > now() RETURNING uses_left`,
};
const FORGET: Statement = {
  name: 'invites forget',
  text: 'DELETE FROM invites WHERE expires_at < now() OR uses_left = 0',
};

/** Codes of invitations, of which only hashes are stored. */
@Injectable()
export class InvitesRepository {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => database.query(FORGET, []));
  }

  /** @returns when the code expires. */
  async insert(code: string, uses: number, days: number): Promise<string> {
    const [row] = await this.database.query<{ expires_at: string }>(INSERT, [hashOf(code), uses, days]);
    return row.expires_at;
  }

  async isValid(code: string): Promise<boolean> {
    return (await this.database.query(FIND, [hashOf(code)])).length > 0;
  }

  /** Takes one use of the code. @returns `false` if it has none left. */
  async use(transaction: Executor, code: string): Promise<boolean> {
    return (await transaction.query(USE, [hashOf(code)])).length > 0;
  }
}

/** People type codes from paper: case and separators do not count. */
function hashOf(code: string): Buffer {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(plain).digest();
}
