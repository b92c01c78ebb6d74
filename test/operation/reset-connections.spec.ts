import { connect } from 'node:net';
import { startBuiltService, type BuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';
import { until } from '../support/until';

const TIMES = 12;
const body = JSON.stringify({ email: 'a@b.c', password: 'x' });
const POST = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const REQUESTS = [
  `POST /api/auth/login HTTP/1.1\r\n${POST}`,
  'GET /api/interactions/knowledge-base HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /api/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a.b.c\r\n\r\n',
];

let databaseUrl: string;
let service: BuiltService;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  service = await startBuiltService({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'on', LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  await service.end();
  await dropDatabase(databaseUrl);
});

/** Sends a whole request and resets the connection (RST), so that nobody can say any more from where it came. */
function sendAndReset(request: string): Promise<void> {
  const { hostname, port } = new URL(service.api.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(request, () => {
        socket.resetAndDestroy();
        resolve();
      }),
    );
  });
}

it('a connection that is reset behind its request is no failure of the service', async () => {
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; status?: number; route?: string });
  for (const request of REQUESTS) for (let time = 0; time < TIMES; time++) await sendAndReset(request);
  expect((await service.api.get('/healthz')).status).toBe(200);
  await until('that is in the log', async () => lines().some(({ route }) => route === '/healthz'));
  expect(lines().filter(({ level, status = 0 }) => level === 'error' || status >= 500)).toEqual([]);
});
