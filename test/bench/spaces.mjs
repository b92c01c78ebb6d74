/**
 * What shared profiles cost a read by id. One PostgreSQL, in turns, each in a new process, each round in another order:
 *
 * - in a space (`Health-Space: <id>;<version>`) to in an account, on one database: wanted at least 0.4. A read in a space
 *   asks first, with one round trip more, whether the caller may read there.
 * - in an account that shares nothing to the same read by a service from before there were spaces: wanted at least 0.97.
 *   Each service has a database of its own, which its own migrations made and the same rows filled.
 *
 *   npm run build && node test/bench/spaces.mjs [--before folder] [--rounds n] [--seconds n]
 *
 * `--before`: a checkout with the built service of the commit before the migration `1801100000000-spaces`. Without it the
 * second relation is not measured, and the program says so:
 *
 *   git worktree add ../before "$(git log --diff-filter=A --format=%H -- '*1801100000000-spaces.ts' | tail -1)^"
 *   (cd ../before && npm ci && npm run build)
 *
 * Prints the ratio of the requests a second, and of the processor time for a request, which a busy machine disturbs less.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure, median } from './lib/measure.mjs';
import { startPostgres, withClient } from './lib/postgres.mjs';
import { startService, unlimitedEnvironment } from './lib/processes.mjs';
import { addSpace, setStage, SIZES } from './lib/stage.mjs';

const CONNECTIONS = 32;
const WANTED = { before: 0.97, space: 0.4 };
const RECORDS = 20;
const WARM_SECONDS = 3;

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '4' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const scratch = mkdtempSync(join(tmpdir(), 'hrs-spaces-'));
let postgres;
Object.assign(SIZES, { readers: 100, collectors: 1, writers: 1, takers: 1, newcomers: 1, people: 1 });
try {
  postgres = await startPostgres();
  const now = await databaseOf('now');
  const turns = [
    { name: 'account', start: now.start, requests: byId(now.readers) },
    { name: 'space', start: now.start, requests: await inSpaces(now) },
  ];
  if (values.before) {
    const before = await databaseOf('before', { folder: resolve(values.before) });
    turns.push({ name: 'before', start: before.start, requests: byId(before.readers) });
  }
  const results = await inTurns(turns);
  report('in a space / in an account', results, ['space', 'account'], WANTED.space);
  if (values.before) report('in an account / before', results, ['account', 'before'], WANTED.before);
  else print('in an account / before: not measured, --before is missing');
} finally {
  await postgres?.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** A database that the service's own migrations made, who is there, and how to start a service on it. */
async function databaseOf(name, options) {
  await postgres.createDatabase(name);
  const databaseUrl = postgres.urlOf(name);
  const settings = unlimitedEnvironment(databaseUrl);
  const start = () => startService(name, settings, join(scratch, name), options);
  const service = await start();
  try {
    return { databaseUrl, start, ...(await setStage(databaseUrl, service.url)) };
  } finally {
    await service.stop();
  }
}

function byId(readers) {
  return readers.flatMap(({ token, statIds }) =>
    statIds.map((id) => ({
      method: 'GET',
      path: `/api/health-stats/${id}`,
      headers: { authorization: `Bearer ${token}` },
    })),
  );
}

/** A space of each reader, with as many records as the account has. @returns the requests of their members. */
async function inSpaces({ databaseUrl, readers }) {
  const spaces = readers.map(({ id, token }) => ({
    memberId: id,
    token,
    id: randomUUID(),
    profileId: randomUUID(),
    statIds: Array.from({ length: RECORDS }, () => randomUUID()),
  }));
  await withClient(databaseUrl, async (client) => {
    for (const space of spaces) await addSpace(client, space);
    await client.query('VACUUM ANALYZE');
  });
  return spaces.flatMap(({ id: spaceId, token, statIds }) =>
    byId([{ token, statIds }]).map((request) => ({
      ...request,
      headers: { ...request.headers, 'health-space': `${spaceId};0` },
    })),
  );
}

/**
 * Each turn has a new process: two processes of the same code can differ by a tenth for as long as they live.
 * @returns the measurements of each, by name.
 */
async function inTurns(turns) {
  const results = Object.fromEntries(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < turns.length; turn++) {
      const { name, start, requests } = turns[(turn + round) % turns.length];
      const server = await start();
      try {
        await measure(server, { connections: CONNECTIONS, seconds: WARM_SECONDS, requests });
        results[name].push(await measure(server, { connections: CONNECTIONS, seconds, requests }));
      } finally {
        await server.stop();
      }
    }
  }
  return results;
}

function report(title, results, [one, other], wanted) {
  const ratioOf = (of) => median(results[one].map((each, round) => of(each, results[other][round])));
  const rate = ratioOf((mine, theirs) => mine.perSecond / theirs.perSecond);
  const processor = ratioOf((mine, theirs) => theirs.cpuMicros / mine.cpuMicros);
  const isMissed = rate < wanted;
  print(
    `by id ${title}: ${rate.toFixed(3)} of the requests a second (wanted >= ${wanted}${isMissed ? ', MISSED' : ''}), ` +
      `${processor.toFixed(3)} by processor time`,
  );
  if (isMissed) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
