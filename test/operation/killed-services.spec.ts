import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir } from '@app/testing';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { aMedication, anAccount, aProfile } from '../support/factories';
import { until } from '../support/until';

const ROUNDS = 2 * Number(process.env.TEST_LONG ?? 1);
const WRITERS = 6;

/** A create that a client must see through: what it sends, and the id that it was told. */
interface Create {
  path: string;
  body: Record<string, unknown>;
  key: string;
  id?: string;
}

/** A client that writes without pause, and does not forget what it was not told. */
class Client {
  readonly creates: Create[] = [];

  constructor(
    private readonly token: string,
    private readonly profileId: string,
    private readonly medicationId: string,
  ) {}

  /** Creates one record after the other until the service no longer answers as it should. */
  async write(service: BuiltService): Promise<void> {
    for (;;) {
      const create = this.creates.length % 2 ? this.aDose() : this.aStatistic();
      this.creates.push(create);
      if (!(await this.send(service, create))) return;
    }
  }

  async retry(service: BuiltService): Promise<void> {
    for (const create of this.creates) {
      if (create.id === undefined) await until('a create is acknowledged', () => this.send(service, create));
    }
  }

  /** @returns whether it was acknowledged. */
  private async send({ api }: BuiltService, create: Create): Promise<boolean> {
    try {
      const { status, body } = await api.post(create.path, create.body, {
        token: this.token,
        headers: { 'Idempotency-Key': create.key },
      });
      if (status === 201) create.id = body.id;
      else expect(status).toBe(503);
      return status === 201;
    } catch (error) {
      // The connection broke: whether it was written, nobody knows.
      if ((error as Error).name !== 'TypeError') throw error;
      return false;
    }
  }

  private aStatistic(): Create {
    const body = { profile_id: this.profileId, encrypted_data: randomUUID() };
    return { path: '/api/health-stats', body, key: randomUUID() };
  }

  /** Without anything in it that tells it from another: only the key does. */
  private aDose(): Create {
    return { path: `/api/medications/${this.medicationId}/log`, body: { taken: true }, key: randomUUID() };
  }
}

describe('creates with an Idempotency-Key', () => {
  let dataDir: string;
  let service: BuiltService;
  let token: string;
  let medicationId: string;
  let clients: Client[];

  const start = () =>
    startBuiltService({ DATA_DIR: dataDir, JWT_SECRET: '', DECOY_SECRET: '', SECOND_STEP_SECRET: '' });
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hrs-killed-'));
    service = await start();
  });
  afterAll(async () => {
    await service.end();
    removeDataDir(dataDir);
  });
  beforeEach(async () => {
    ({ token } = await anAccount(service.api));
    const profileId = await aProfile(service.api, token);
    medicationId = (await aMedication(service.api, token, profileId)).id;
    clients = Array.from({ length: WRITERS }, () => new Client(token, profileId, medicationId));
  });

  const acknowledged = () =>
    clients.flatMap((client) => client.creates).filter(({ id }) => id !== undefined).length;

  /** Lets all write, strikes in the middle of it, and lets all see through what they were not told. */
  async function round(strike: () => Promise<void>): Promise<void> {
    const before = acknowledged();
    const writing = Promise.all(clients.map((client) => client.write(service)));
    // In the middle of it, at another moment each time: after some creates, whatever time these take.
    const least = before + Math.ceil(Math.random() * 3 * WRITERS);
    await until('some creates are acknowledged', () => Promise.resolve(acknowledged() >= least));
    await strike();
    await writing;
    await Promise.all(clients.map((client) => client.retry(service)));
  }

  /** Expects every create there, once, under the id that its client was told. */
  async function expectAllOnce(): Promise<void> {
    const creates = clients.flatMap((client) => client.creates);
    const list = async (path: string) => (await service.api.get(path, { token })).body as { id: string }[];
    const stored = [
      ...(await list('/api/health-stats')),
      ...(await list(`/api/medications/${medicationId}/log`)),
    ];
    expect(creates.length).toBeGreaterThan(ROUNDS * WRITERS);
    expect(stored.map(({ id }) => id).sort()).toEqual(creates.map(({ id }) => id).sort());
    const blobs = stored.flatMap((record) => ('encrypted_data' in record ? [record.encrypted_data] : []));
    const sent = creates.flatMap(({ body }) => body.encrypted_data ?? []);
    expect(blobs.sort()).toEqual(sent.sort());
  }

  it(`are there once after ${ROUNDS} times kill -9 of PostgreSQL`, async () => {
    const postmaster = () =>
      Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    for (let count = 0; count < ROUNDS; count++) {
      await round(async () => {
        process.kill(postmaster(), 'SIGKILL');
        await until('the database is back', async () => (await service.api.get('/readyz')).status === 200);
      });
    }
    await expectAllOnce();
  }, 600_000);

  it(`are there once after ${ROUNDS} times kill -9 of the service`, async () => {
    for (let count = 0; count < ROUNDS; count++) {
      await round(async () => {
        await service.end('SIGKILL');
        service = await start();
      });
    }
    await expectAllOnce();
  }, 600_000);
});
