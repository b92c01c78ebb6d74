import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@app/database';
import { removeDataDir } from '@app/testing';
import { anAccount } from '../support/factories';
import { startService } from '../support/service';

describe('the embedded PostgreSQL', () => {
  const password = randomBytes(12).toString('hex');
  const dataDir = mkdtempSync(join(tmpdir(), 'hrs-start-'));
  const start = () =>
    EmbeddedPostgres.start({
      dataDir,
      password,
      settings: { fsync: 'off', unix_socket_directories: '/tmp' },
    });
  const inCluster = (name: string) => join(realpathSync(join(dataDir, 'postgres')), name);
  afterAll(() => removeDataDir(dataDir));

  it('is reached by a Unix socket too, by each usual form of the URL', async () => {
    const postgres = await start();
    const { username, password: secret, port } = new URL(postgres.url);
    const forms = [
      `postgres://${username}:${secret}@/health_records?host=/tmp&port=${port}`,
      `postgres://${username}:${secret}@%2Ftmp:${port}/health_records`,
    ];
    for (const DATABASE_URL of forms) {
      const service = await startService({ DATABASE_URL });
      await anAccount(service.api);
      await service.stop();
    }
    await postgres.stop();
  });

  it('says why it does not start in its own words of this start, not in those of earlier ones', async () => {
    // The start before has left lines in the log. This one writes to standard error only.
    const settings = inCluster('postgresql.auto.conf');
    appendFileSync(settings, "shared_buffers = 'nonsense'\n");
    await expect(start()).rejects.toThrow(/did not start: .*shared_buffers/);
    await expect(start()).rejects.not.toThrow(/shut down/);
    writeFileSync(settings, '');
    // This one gets as far as to the log.
    writeFileSync(inCluster('recovery.signal'), '');
    await expect(start()).rejects.toThrow(/did not start: .*restore_command/);
    await expect(start()).rejects.not.toThrow(/shared_buffers/);
    rmSync(inCluster('recovery.signal'));
    await (await start()).stop();
  });

  it('refuses a cluster of another major version, and names both and the way out', async () => {
    writeFileSync(inCluster('PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(
      /PostgreSQL 17, and this release brings PostgreSQL \d\d\..*ops -- backup.*ops -- upgrade-embedded/,
    );
  });
});
