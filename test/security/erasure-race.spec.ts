import { Client } from 'pg';
import { decodeToken } from '@app/testing';
import { sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';

describe('an account that is erased while one of its sessions is ended', () => {
  let service: TestService;
  beforeAll(async () => (service = await startService()));
  afterAll(() => service.stop());

  it('ends the session or says that the token is dead, and is never a 500', async () => {
    const account = await anAccount(service.api);
    const clients = [0, 1].map(() => new Client({ connectionString: service.databaseUrl }));
    for (const client of clients) await client.connect();
    const [holder, eraser] = clients;
    const waiting = async () =>
      (
        await sql<{ wait_event: string }>(
          service.databaseUrl,
          `SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).map((row) => row.wait_event);
    // The event is held back until the erasure is on its way.
    await sql(
      service.databaseUrl,
      `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$;
      CREATE TRIGGER hold BEFORE INSERT ON security_events FOR EACH ROW EXECUTE FUNCTION hold()`,
    );
    try {
      await holder.query('SELECT pg_advisory_lock(1)');
      const path = `/api/auth/sessions/${decodeToken(account.refreshToken).header.jti.split('.')[0]}`;
      const ended = service.api.delete(path, undefined, { token: account.token });
      await until('the event waits', async () => (await waiting()).includes('advisory'));
      await eraser.query("SET deadlock_timeout = '20s'");
      let isErased = false;
      const erased = eraser
        .query('DELETE FROM accounts WHERE email = $1', [account.email])
        .then(() => (isErased = true));
      await until(
        'the account is erased, or that waits',
        async () => isErased || (await waiting()).length > 1,
      );
      await holder.query('SELECT pg_advisory_unlock(1)');
      expect([204, 401]).toContain((await ended).status);
      await erased;
    } finally {
      await sql(service.databaseUrl, 'DROP FUNCTION hold CASCADE');
      for (const client of clients) await client.end();
    }
  });
});
