import { randomUUID } from 'node:crypto';
import { PipelinedConnections } from '../../libs/database/src/connection/pipeline/pipelined-connections';
import { BreakableLink } from '../support/breakable-link';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** Requests of each account at the same time, so that each connection has many statements in flight. */
const DEEP = 32;
const REQUESTS = 1_500;
const RECORDS = 12;
/** One disturbance for this number of answers. */
const ANSWERS_PER_DISTURBANCE = 15;

/** What an account may see: its own marks, and nothing else. */
interface Person {
  name: string;
  token: string;
  profileId: string;
  /** The blobs that were sent for each record. The records that were there at the start come first. */
  sent: Map<string, Set<string>>;
}

/** What was seen in one run. */
interface Seen {
  right: number;
  refused: number;
  foreign: string[];
}

let databaseUrl: string;
let link: BreakableLink;
let service: ServiceHere;

beforeAll(async () => {
  databaseUrl = await createDatabase();
  const linked = await BreakableLink.to(databaseUrl);
  link = linked.link;
  service = await startServiceHere({ DATABASE_URL: linked.url });
});
afterAll(async () => {
  await service.stop();
  await link.close();
  await dropDatabase(databaseUrl);
});
afterEach(() => {
  jest.restoreAllMocks();
  link.mend();
});

const markOf = (person: Person) => `${person.name} ${randomUUID()}`;

async function aPerson(name: string): Promise<Person> {
  const { token } = await anAccount(service.api);
  const person = { name, token, profileId: await aProfile(service.api, token), sent: new Map() };
  for (let count = 0; count < RECORDS; count++) {
    const mark = markOf(person);
    const { id } = await aHealthStat(service.api, token, person.profileId, { encrypted_data: mark });
    person.sent.set(id, new Set([mark]));
  }
  return person;
}

interface Outcome {
  status: number;
  /** Whether the record was there before the disturbances. */
  isStored: boolean;
  records: { id: string; profile_id: string; encrypted_data: string }[];
}

/** One request of the person. A connection that is destroyed in the middle of an answer has the status 0. */
async function ask(person: Person, n: number): Promise<Outcome> {
  const { api } = service;
  const { token, profileId, sent } = person;
  const ids = [...sent.keys()];
  const at = n % ids.length;
  const id = ids[at];
  const isStored = at < RECORDS;
  const path = `/api/health-stats/${id}`;
  const mark = markOf(person);
  const call = () => {
    if (n % 10 === 0) {
      const own = randomUUID();
      sent.set(own, new Set([mark]));
      return api.post(
        '/api/health-stats',
        { id: own, profile_id: profileId, encrypted_data: mark },
        { token },
      );
    }
    if (n % 10 === 1) {
      sent.get(id)!.add(mark);
      return api.put(path, { encrypted_data: mark }, { token });
    }
    return api.get(n % 10 === 2 ? '/api/health-stats' : path, { token });
  };
  try {
    const { status, body } = await call();
    return { status, isStored, records: status >= 300 ? [] : [body].flat() };
  } catch {
    return { status: 0, isStored, records: [] };
  }
}

/** Each record of an answer must be one that this person has sent, under this id. */
function judge(person: Person, { status, isStored, records }: Outcome, seen: Seen): void {
  for (const { id, profile_id, encrypted_data } of records) {
    const isOwn = profile_id === person.profileId && person.sent.get(id)?.has(encrypted_data);
    if (!isOwn) seen.foreign.push(`${person.name} got ${encrypted_data}`);
  }
  if (status === 200 || status === 201) seen.right++;
  // A create may have been refused, so its id may be unknown.
  else if (status === 0 || status === 503 || (status === 404 && !isStored)) seen.refused++;
  else seen.foreign.push(`${person.name} got the status ${status}`);
}

/** Asks for all persons at once, and disturbs again and again. */
async function crowd(
  persons: Person[],
  requests: number,
  disturb: (turn: number) => Promise<void>,
): Promise<Seen> {
  const seen: Seen = { right: 0, refused: 0, foreign: [] };
  let started = 0;
  let answered = 0;
  const line = async (person: Person) => {
    while (started < requests) {
      judge(person, await ask(person, started++), seen);
      if (++answered % ANSWERS_PER_DISTURBANCE === 0) await disturb(answered / ANSWERS_PER_DISTURBANCE);
    }
  };
  await Promise.all(persons.flatMap((person) => Array.from({ length: DEEP }, () => line(person))));
  return seen;
}

/** Ends a session, cancels a statement, or cuts a connection inside an answer, by turns. */
async function disturb(turn: number): Promise<void> {
  if (turn % 3 === 0) return link.cutInside();
  const act = turn % 3 === 1 ? 'pg_terminate_backend' : 'pg_cancel_backend';
  await sql(
    databaseUrl,
    `SELECT ${act}(pid) FROM (
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''
      ORDER BY random() LIMIT 1) victim`,
  );
}

describe('two accounts whose statements share connections', () => {
  it('see only their own bytes, while sessions are ended, statements cancelled and connections cut', async () => {
    const persons = [await aPerson('Ada'), await aPerson('Ben')];
    const seen = await crowd(persons, REQUESTS, disturb);
    expect(seen.foreign).toEqual([]);
    expect(seen.right).toBeGreaterThan(REQUESTS / 4);
    expect(seen.refused).toBeGreaterThan(0);
  }, 240_000);

  it('would be found out where the service swaps two answers', async () => {
    const persons = [await aPerson('Ada'), await aPerson('Ben')];
    swapAnswers();
    expect((await crowd(persons, 300, async () => undefined)).foreign).not.toEqual([]);
  }, 120_000);
});

/** Every tenth statement gets the rows of the statement before it, as if two answers were swapped. */
function swapAnswers(): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const query = PipelinedConnections.prototype.query as (...args: unknown[]) => Promise<unknown[]>;
  let before: unknown[] = [];
  let count = 0;
  jest.spyOn(PipelinedConnections.prototype, 'query').mockImplementation(async function (
    this: PipelinedConnections,
    ...args
  ) {
    const rows = await query.apply(this, args);
    const given = ++count % 10 === 0 ? before : rows;
    before = rows;
    return given;
  });
}
