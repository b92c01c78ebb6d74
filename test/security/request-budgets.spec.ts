import { connect, type Socket } from 'node:net';
import { WEIGHTS } from '@app/http';
import { RequestBudgets } from '@app/security';
import { expectFailure } from '@app/testing';
import { aDose, aHealthStat, aMedication } from '../support/factories';
import { sql } from '../support/databases';
import { headersOf } from '../support/in-space';
import { type Household, aHousehold } from '../support/record-kinds';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

/** Longer than what the kernel takes of an answer that nobody reads. */
const LONG_LIST_BYTES = 24 * 1024 ** 2;
/** Units of an account, and how many of its requests wait at most. */
const UNITS = 64;
const LINE = 500;

let service: ServiceHere;
let budgets: RequestBudgets;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startServiceHere();
  budgets = service.app.get(RequestBudgets, { strict: false });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until('nothing is in flight', async () => budgets.busy === 0);
});
afterAll(() => service.stop());

/** Sends requests on one connection, and never reads an answer. */
function sendUnread(token: string, path: string, count = 1): Socket {
  const { hostname, port } = new URL(service.api.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on('error', () => undefined);
  const lines = Object.entries({ Host: hostname, ...headersOf(token, path) }).map((line) => line.join(': '));
  const request = [`GET ${path} HTTP/1.1`, ...lines, '\r\n'].join('\r\n');
  socket.write(request.repeat(count));
  sockets.push(socket);
  return socket;
}

async function aHoarder(): Promise<Household> {
  const household = await aHousehold(service.api);
  await sql(
    service.databaseUrl,
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
      SELECT account_id, gen_random_uuid(), id, '"' || repeat('x', 262000) || '"'
      FROM profiles, generate_series(1, $2) WHERE id = $1`,
    [household.profileId, Math.ceil(LONG_LIST_BYTES / 262_000)],
  );
  return household;
}

describe('an account that does not read its answers', () => {
  it('waits for itself, and nobody else waits', async () => {
    const hoarder = await aHoarder();
    const other = await aHousehold(service.api);
    const unread = UNITS / WEIGHTS.list;
    for (let count = 0; count < unread; count++) sendUnread(hoarder.token, '/api/health-stats');
    sendUnread(hoarder.token, '/api/health-stats');
    await until('the account has no room', async () => budgets.waiting === 1);
    const path = `/api/profiles/${other.profileId}`;
    expect((await service.api.get(path, { token: other.token })).status).toBe(200);
    const own = service.api.get(`/api/profiles/${hoarder.profileId}`, { token: hoarder.token });
    await until('its own read waits', async () => budgets.waiting === 2);
    sockets[0].destroy();
    sockets[1].destroy();
    expect((await own).status).toBe(200);
  });

  it('is refused with 503 after a while, and answered again when it has gone', async () => {
    const hoarder = await aHoarder();
    for (let count = 0; count <= UNITS / WEIGHTS.list; count++)
      sendUnread(hoarder.token, '/api/health-stats');
    await until('the account has no room', async () => budgets.waiting === 1);
    const path = `/api/profiles/${hoarder.profileId}`;
    const refused = await service.api.get(path, { token: hoarder.token });
    expectFailure(refused, 'overloaded');
    expect(refused.headers.get('retry-after')).toBe('1');
    for (const socket of sockets) socket.destroy();
    expect((await service.api.get(path, { token: hoarder.token })).status).toBe(200);
  });
});

describe('a budget', () => {
  it('comes back when a client leaves behind many requests on one connection', async () => {
    const { token } = await aHoarder();
    const socket = sendUnread(token, '/api/health-stats', 40);
    await until('they wait', async () => budgets.waiting === 40 - UNITS / WEIGHTS.list);
    socket.destroy();
    await until('nothing is in flight', async () => budgets.busy === 0);
  });

  it('refuses with 429 what finds its line full, and leaves probes alone', async () => {
    const { token, profileId } = await aHoarder();
    for (let count = 0; count < 4; count++) sendUnread(token, '/api/health-stats', 150);
    await until('the line is full', async () => budgets.waiting === LINE);
    const refused = await service.api.get(`/api/profiles/${profileId}`, { token });
    expectFailure(refused, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await service.api.get('/healthz')).status).toBe(200);
  });
});

describe('adherence of a medication with very many doses', () => {
  const aPatient = async (doses: number) => {
    const { token, profileId } = await aHousehold(service.api);
    const { id } = await aMedication(service.api, token, profileId, { dose_schedule: { times_per_day: 1 } });
    await aDose(service.api, token, id);
    await sql(
      service.databaseUrl,
      `INSERT INTO doses (account_id, id, medication_id, taken, logged_at)
        SELECT account_id, gen_random_uuid(), medication_id, n % 4 > 0, logged_at - n * interval '1 second'
        FROM doses, generate_series(1, $2) n WHERE medication_id = $1`,
      [id, doses],
    );
    return { token, read: () => service.api.get(`/api/medications/${id}/adherence`, { token }) };
  };

  it('is exact below and above the number that short reads count', async () => {
    for (const doses of [1_999, 2_000, 2_001, 12_000]) {
      const { body, status } = await (await aPatient(doses)).read();
      expect(status).toBe(200);
      expect(body).toMatchObject({ total_logged: doses + 1, skipped_doses: Math.floor(doses / 4) });
      expect(body.since_start.taken_doses).toBe(body.taken_doses);
    }
  });

  it('is answered or refused, and delays no read of others', async () => {
    const patient = await aPatient(12_000);
    const other = await aHousehold(service.api);
    const { id } = await aHealthStat(service.api, other.token, other.profileId);
    const reads = Array.from({ length: 60 }, () => patient.read());
    const path = `/api/health-stats/${id}`;
    for (let count = 0; count < 20; count++)
      expect((await service.api.get(path, { token: other.token })).status).toBe(200);
    for (const answer of await Promise.all(reads))
      if (answer.status !== 200) expectFailure(answer, 'overloaded');
  });
});
