import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { aBlob, aRegistration } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, anEmail, aProfile } from '../support/factories';
import { ops as run, type OpsOutcome } from '../support/ops';
import { startService, TEST_ENVIRONMENT, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService(LIMITED)));
afterAll(() => service.stop());

const ops = (...args: string[]): Promise<OpsOutcome> => run({ DATABASE_URL: service.databaseUrl }, ...args);
const client = () => new ClientAt(service.api.url);

describe('a command of the operator', () => {
  it('shows the state of the database', async () => {
    const { code, result } = await ops('status');
    expect([code, result.pending_migrations]).toEqual([0, []]);
    expect(result.epoch).toBe((await client().get('/readyz')).body.epoch);
  });

  it('names what is wrong with its use, by the exit code 2', async () => {
    for (const args of [['no-such-command'], ['erase'], ['invite', '--days', '0'], ['unlock']])
      expect([args, (await ops(...args)).code]).toEqual([args, 2]);
    expect((await ops('--help')).code).toBe(0);
  });

  it.each([['erase'], ['end-sessions']])(
    '%s does nothing without a yes, and tells an unknown email',
    async (name) => {
      const { email, token } = await anAccount(client());
      const { code, errors } = await ops(name, email);
      expect([code, errors]).toEqual([2, expect.stringContaining('--yes')]);
      expect((await client().get('/api/users/me', { token })).status).toBe(200);
      expect((await ops(name, anEmail(), '--yes')).code).toBe(3);
    },
  );

  it.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong'), 'it refuses the user or the password'],
    ['an unknown database', (url: URL) => (url.pathname = '/nowhere'), 'there is no database of this name'],
    ['a port where nobody listens', (url: URL) => (url.port = '1'), 'nothing listens at its address'],
  ])('says why it cannot use the database, for %s', async (_, change, words) => {
    const url = new URL(service.databaseUrl);
    change(url);
    const { code, errors } = await run({ DATABASE_URL: url.href }, 'status');
    expect([code, errors]).toEqual([1, `The database cannot be used: ${words}. Nothing was done.\n`]);
  });

  // A process of its own: `pg` leaves the connection open, and each DROP DATABASE of the cluster waits for it for a minute.
  it('says so where the URL has no password and the database asks for one', async () => {
    const url = new URL(service.databaseUrl);
    url.password = '';
    const main = join(__dirname, '../../dist/apps/api/src/ops/main.js');
    const env = { ...process.env, ...TEST_ENVIRONMENT, DATABASE_URL: url.href };
    const { status, stderr } = spawnSync(process.execPath, [main, 'status'], { env, encoding: 'utf8' });
    const reason = 'it asks for a password, and the URL has none';
    expect([status, stderr]).toEqual([1, `The database cannot be used: ${reason}. Nothing was done.\n`]);
  });

  it('needs the migrations', async () => {
    const url = await createDatabase(false);
    const { code, errors } = await run({ DATABASE_URL: url }, 'accounts');
    expect([code, errors]).toEqual([1, expect.stringContaining('run the command migrate first')]);
    expect((await run({ DATABASE_URL: url }, 'migrate')).result.migrations.length).toBeGreaterThan(4);
    expect((await run({ DATABASE_URL: url }, 'accounts')).result).toEqual({ accounts: [] });
    await dropDatabase(url);
  });
});

describe('accounts', () => {
  it('shows what an account stores, by email and in the list', async () => {
    const { email, token } = await anAccount(client());
    await aProfile(client(), token);
    const { result } = await ops('accounts', ` ${email.toUpperCase()}`);
    expect(result).toMatchObject({ email, records: 1, sessions: 1, second_step: false });
    expect(result.bytes).toBeGreaterThan(0);
    const list = (await ops('accounts', '--limit', '1000')).result.accounts;
    expect(list).toContainEqual(result);
    expect((await ops('accounts', anEmail())).code).toBe(3);
  });
});

describe('an erasure', () => {
  const ERASURES: Record<
    string,
    (account: { email: string; token: string; password: string }) => Promise<unknown>
  > = {
    'by the route': ({ token, password }) =>
      client().post('/api/users/me/delete', { current_password: password }, { token }),
    'by ops': ({ email }) => ops('erase', email, '--yes'),
    'by SQL': ({ email }) => sql(service.databaseUrl, 'DELETE FROM accounts WHERE email = $1', [email]),
  };

  it.each(Object.entries(ERASURES))('%s takes the email along, and is remembered', async (_, erase) => {
    const account = await anAccount(client());
    const { id } = (await client().get('/api/users/me', { token: account.token })).body;
    await erase(account);
    expect((await client().get('/api/users/me', { token: account.token })).status).toBe(401);
    const again = await client().post('/api/auth/register', aRegistration({ email: account.email }));
    expect(again.status).toBe(201);
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM erasures WHERE account_id = $1', [id])).toHaveLength(
      1,
    );
    expect((await ops('verify')).code).toBe(0);
  });
});

describe('end-sessions', () => {
  it("ends every token of the account and nobody else's", async () => {
    const [ana, ben] = [await anAccount(client()), await anAccount(client())];
    const { email, password } = ana;
    const { body } = await client().post('/api/auth/login', { email, password });
    const refresh = { refresh_token: body.refresh_token };
    expect((await ops('end-sessions', ana.email, '--yes')).code).toBe(0);
    expect((await client().get('/api/users/me', { token: ana.token })).body.code).toBe('token_revoked');
    expect((await client().post('/api/auth/refresh', refresh)).status).toBe(401);
    expect((await client().get('/api/users/me', { token: ben.token })).status).toBe(200);
    expect((await client().post('/api/auth/login', { email, password })).status).toBe(200);
  });
});

describe('unlock', () => {
  it('lets in whom wrong tries have shut out', async () => {
    const { email, password } = await anAccount(client());
    const stranger = client();
    const login = (secret: string) => stranger.post('/api/auth/login', { email, password: secret });
    for (let count = 0; count < 5; count++) expect((await login(randomUUID())).status).toBe(401);
    expect((await login(password)).status).toBe(429);
    expect((await ops('unlock', '--email', anEmail(), '--address', stranger.address)).code).toBe(0);
    expect((await login(password)).status).toBe(429);
    const { result } = await ops('unlock', '--email', email, '--address', stranger.address);
    expect(result.forgotten_counters).toBeGreaterThan(0);
    expect((await login(password)).status).toBe(200);
  });
});

describe('verify', () => {
  it('finds counts that differ from the records, and mends them', async () => {
    const { token } = await anAccount(client());
    await aProfile(client(), token);
    await sql(service.databaseUrl, 'UPDATE account_usage SET records = records + 3');
    const found = await ops('verify');
    expect([found.code, found.result.usage_differs > 0]).toEqual([3, true]);
    const mended = await ops('verify', '--mend');
    expect([mended.code, mended.result.mended]).toEqual([0, found.result.usage_differs]);
  });

  describe('of a contradiction', () => {
    /** An account with one profile, whose contradiction is found by its id. */
    const anOwner = async () => {
      const { token, email } = await anAccount(client());
      const profile = await aProfile(client(), token);
      const { id } = (await client().get('/api/users/me', { token })).body;
      return { id, token, email, profile };
    };
    type Owner = Awaited<ReturnType<typeof anOwner>>;
    const here = (text: string, values?: unknown[]) => sql(service.databaseUrl, text, values);
    const withoutTrigger = (table: string, trigger: string, text: string, values: unknown[]) =>
      here(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`)
        .then(() => here(text, values))
        .finally(() => here(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`));

    const FEED = `DELETE FROM changes WHERE account_id = $1`;
    const MENDED: Record<string, [finding: string, plant: (owner: Owner) => Promise<unknown>]> = {
      'counts below those of the records': [
        'usage_differs',
        ({ id }) => here('UPDATE account_usage SET records = 0, bytes = 0 WHERE account_id = $1', [id]),
      ],
      'no counts at all': [
        'usage_differs',
        ({ id }) => here('DELETE FROM account_usage WHERE account_id = $1', [id]),
      ],
      'a position that the feed has used': [
        'last_change_low',
        ({ id }) => here('UPDATE account_usage SET last_change = 0 WHERE account_id = $1', [id]),
      ],
      'a record that is not in the feed': ['feed_differs', ({ id }) => here(FEED, [id])],
      'a record of the feed that does not exist': [
        'feed_differs',
        ({ id, profile }) =>
          withoutTrigger(
            'profiles',
            'profiles_deleted',
            'DELETE FROM profiles WHERE account_id = $1 AND id = $2',
            [id, profile],
          ),
      ],
    };

    it.each(Object.entries(MENDED))('%s: finds the account, and mends it', async (_, [finding, plant]) => {
      const owner = await anOwner();
      await plant(owner);
      const found = await ops('verify');
      expect([found.code, found.result.ids[finding]]).toEqual([3, [owner.id]]);
      expect((await ops('verify', '--mend')).code).toBe(0);
      const { token } = owner;
      const created = await aProfile(client(), token);
      const { changes } = (await client().get('/api/sync', { token })).body;
      const { records } = (await client().get('/api/users/me/usage', { token })).body;
      const profiles = (await client().get('/api/profiles', { token })).body;
      const idsOf = (list: { profile_id: string }[]) => list.map(({ profile_id: id }) => id).sort();
      const alive = owner.profile === profiles[0].profile_id ? [owner.profile, created] : [created];
      expect(idsOf(profiles)).toEqual(alive.sort());
      expect(idsOf(changes.flatMap(({ record }: { record?: object }) => record ?? []))).toEqual(alive);
      expect(records).toBe(alive.length);
    });

    it('a trigger that is off: switches it on, and mends what was written meanwhile', async () => {
      await here('ALTER TABLE profiles DISABLE TRIGGER profiles_inserted');
      const { id } = await anOwner();
      const { result } = await ops('verify');
      expect(result.ids).toEqual({
        triggers_off: ['profiles.profiles_inserted'],
        usage_differs: [id],
        feed_differs: [id],
      });
      expect((await ops('verify', '--mend')).code).toBe(0);
    });

    it('a trigger that is gone: makes it again, and mends what was written meanwhile', async () => {
      await here('DROP TRIGGER profiles_inserted ON profiles');
      const { id } = await anOwner();
      const { result } = await ops('verify');
      expect(result.ids).toEqual({
        triggers_missing: ['profiles.profiles_inserted'],
        usage_differs: [id],
        feed_differs: [id],
      });
      expect((await ops('verify', '--mend')).code).toBe(0);
      const other = await anOwner();
      expect((await client().get('/api/users/me/usage', { token: other.token })).body.records).toBe(1);
    });

    it('an index that is gone: names the statement that makes it', async () => {
      await here('DROP INDEX medications_by_age');
      const { code, result } = await ops('verify', '--mend');
      const [statement, ...others] = result.ids.indexes_missing as string[];
      expect([code, others]).toEqual([3, []]);
      expect(statement).toMatch(/^CREATE INDEX CONCURRENTLY "medications_by_age" ON "medications" /);
      await here(statement);
      expect((await ops('verify')).code).toBe(0);
    });

    it('a login without its account: deletes it, so that the email is free', async () => {
      const { id, email } = await anOwner();
      await withoutTrigger('accounts', 'accounts_erased', 'DELETE FROM accounts WHERE id = $1', [id]);
      const { result } = await ops('verify');
      expect([result.ids.logins_without_account, JSON.stringify(result).includes(email)]).toEqual([
        [id],
        false,
      ]);
      expect((await ops('verify', '--mend')).code).toBe(0);
      expect((await client().post('/api/auth/register', aRegistration({ email }))).status).toBe(201);
    });

    const LEFT: Record<
      string,
      { finding: string; plant: string; undo: string; ofAccount?: boolean; named?: string }
    > = {
      'an account without a login': {
        finding: 'accounts_without_login',
        plant: `DELETE FROM logins WHERE account_id = $1`,
        undo: `DELETE FROM accounts WHERE id = $1`,
        ofAccount: true,
      },
      'an erased account that exists': {
        finding: 'erased_alive',
        plant: 'INSERT INTO erasures (account_id) VALUES ($1)',
        undo: 'DELETE FROM erasures WHERE account_id = $1',
        ofAccount: true,
      },
      'a space without a member': {
        finding: 'spaces_without_member',
        plant: `INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id) VALUES ($1, $1, 1, $1)`,
        undo: `DELETE FROM spaces WHERE account_id = $1`,
        ofAccount: true,
      },
      'a space of which the profile is gone': {
        finding: 'spaces_without_profile',
        plant: `INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id) VALUES ($1, gen_random_uuid(), 1, $1)`,
        undo: `DELETE FROM spaces WHERE account_id = $1`,
        ofAccount: true,
      },
      'a member whose account is gone': {
        finding: 'members_without_account',
        plant: `WITH made AS (INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id)
            SELECT account_id, id, 1, account_id FROM profiles WHERE account_id = $1 RETURNING account_id)
          INSERT INTO space_members (account_id, member_id, role, sharing_public)
            SELECT account_id, gen_random_uuid(), 'viewer', '' FROM made`,
        undo: `DELETE FROM spaces WHERE account_id = $1`,
        ofAccount: true,
      },
      'an entry of the feed of an unknown kind': {
        finding: 'unknown_kinds',
        plant: `UPDATE changes SET kind = 'of_a_module' WHERE account_id = $1`,
        undo: `DELETE FROM changes WHERE account_id = $1 AND kind = 'of_a_module'`,
        ofAccount: true,
      },
      'an index that is not valid': {
        finding: 'invalid_indexes',
        plant: `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'changes_expiry'::regclass`,
        undo: `UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'changes_expiry'::regclass`,
        named: 'changes_expiry',
      },
      'a foreign key that is not valid': {
        finding: 'foreign_keys_not_valid',
        plant: `ALTER TABLE sessions ADD CONSTRAINT hurried FOREIGN KEY (account_id) REFERENCES accounts (id) NOT VALID`,
        undo: `ALTER TABLE sessions DROP CONSTRAINT hurried`,
        named: 'sessions.hurried',
      },
    };

    it.each(Object.entries(LEFT))('%s: names it, and leaves it to a person', async (_, each) => {
      const { finding, plant, undo, ofAccount, named } = each;
      const { id } = await anOwner();
      const values = ofAccount ? [id] : [];
      await here(plant, values);
      const { code, result } = await ops('verify', '--mend');
      expect([code, result.ids[finding]]).toEqual([3, [named ?? id]]);
      await here(undo, values);
      expect((await ops('verify', '--mend')).code).toBe(0);
    });

    it('a database with migrations of another program: does nothing', async () => {
      await here(`INSERT INTO migrations (timestamp, name) VALUES (1, 'OfAModule1')`);
      for (const args of [['verify', '--mend'], ['backup', '/nonexistent/b'], ['housekeeping']]) {
        const { code, errors } = await ops(...args);
        expect([args, code, errors]).toEqual([args, 1, expect.stringContaining('OfAModule1')]);
      }
      expect((await ops('status')).code).toBe(0);
      await here(`DELETE FROM migrations WHERE name = 'OfAModule1'`);
    });
  });
});

describe('housekeeping', () => {
  it('deletes what has expired', async () => {
    await sql(
      service.databaseUrl,
      `INSERT INTO invites (code_hash, expires_at, uses_left) VALUES ('x', now() - interval '1 day', 1)`,
    );
    expect((await ops('housekeeping')).code).toBe(0);
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM invites')).toEqual([]);
  });

  it('forgets the idempotency keys of creates after a day, and no others, and no client hears of it', async () => {
    const api = client();
    const { token } = await anAccount(api);
    const body = { profile_id: await aProfile(api, token), encrypted_data: aBlob() };
    const create = (key: string) =>
      api.post('/api/health-stats', body, { token, headers: { 'Idempotency-Key': key } });
    const { id: old } = (await create('old')).body;
    const { id: fresh } = (await create('fresh')).body;
    const age = (id: string, hours: number) =>
      sql(
        service.databaseUrl,
        `UPDATE health_stats SET created_at = now() - interval '${hours} hours' WHERE id = $1`,
        [id],
      );
    await age(old, 25);
    await age(fresh, 23);
    const { cursor } = (await api.get('/api/sync', { token })).body;
    expect((await ops('housekeeping')).code).toBe(0);
    const kept = await sql(
      service.databaseUrl,
      'SELECT id FROM health_stats WHERE idempotency_key IS NOT NULL AND idempotency_body IS NOT NULL AND id = ANY ($1)',
      [[old, fresh]],
    );
    expect(kept).toEqual([{ id: fresh }]);
    expect((await api.get(`/api/sync?cursor=${cursor}`, { token })).body.changes).toEqual([]);
    expect((await create('fresh')).body.id).toBe(fresh);
    expect((await create('old')).body.id).not.toBe(old);
  });
});

describe('compact', () => {
  it('writes half-empty indexes anew while the service writes, and takes the drafts of a killed run away', async () => {
    const api = client();
    const accounts = await Promise.all(Array.from({ length: 8 }, () => anAccount(api)));
    const profiles = await Promise.all(accounts.map(({ token }) => aProfile(api, token)));
    const [{ token }, profile] = [accounts[0], profiles[0]];
    // Of all accounts in turn, as they come in a year.
    await sql(
      service.databaseUrl,
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
        SELECT account_id, lpad(to_hex(n), 32, '0')::uuid, id, '{}', now() + n * interval '1 second'
        FROM profiles, generate_series(1, 600) n WHERE id = ANY ($1) ORDER BY n`,
      [profiles],
    );
    const bytesOfIndexes = async () => {
      const [{ bytes }] = await sql<{ bytes: number }>(
        service.databaseUrl,
        `SELECT sum(pg_relation_size(indexrelid))::int AS bytes FROM pg_index WHERE indrelid::regclass::text LIKE 'health_stats%'`,
      );
      return bytes;
    };
    const before = await bytesOfIndexes();
    await sql(service.databaseUrl, 'CREATE INDEX invites_pkey_ccnew ON invites (uses_left)');
    await sql(
      service.databaseUrl,
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'invites_pkey_ccnew'::regclass`,
    );
    expect((await ops('verify')).result).toMatchObject({ invalid_indexes: 1 });
    const running = ops('compact');
    let isDone = false;
    void running.finally(() => (isDone = true));
    const statuses = new Set<number>();
    while (!isDone)
      statuses.add(
        (await api.post('/api/health-stats', { profile_id: profile, encrypted_data: aBlob() }, { token }))
          .status,
      );
    const { code, errors, result } = await running;
    // A slow cluster is told how far it is.
    const said = errors.replace(/^Compacted [\d.]+ of [\d.]+ MB, about \d+ s left\.\n/gm, '');
    expect([code, said, [...statuses]]).toEqual([0, '', [201]]);
    // The coordinator of Citus has no bytes of its shards.
    if (!process.env.TEST_CITUS_URL) {
      expect(result.bytes_after).toBeLessThan(result.bytes_before);
      expect(await bytesOfIndexes()).toBeLessThan(before * 0.9);
    }
    expect((await ops('verify')).result).toMatchObject({ invalid_indexes: 0, indexes_missing: 0 });
  });
});

describe('new-epoch', () => {
  it('is told by the running service', async () => {
    const { result } = await ops('new-epoch', '--yes');
    expect((await client().get('/readyz')).body.epoch).toBe(result.epoch);
  });
});
