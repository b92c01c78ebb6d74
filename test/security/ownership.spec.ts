import { randomUUID } from 'node:crypto';
import { encodeCursor } from '@app/common';
import { aBlob, anEmail, aProfile, aRegistration } from '../support/factories';
import { startService, type TestService } from '../support/service';
import { visible } from '../support/visible';
import { type Operation, readOperations } from './route-table';
import { attempt, aWorld, bodyOf, contentsOf, Findings, parametersOf, urlOf, type World } from './world';

/** What may stand in a path where no record of the caller is: beside the other owner's id and a deleted one. */
const IDS_OF_NOTHING = {
  unknown: randomUUID(),
  nil: '00000000-0000-0000-0000-000000000000',
  malformed: 'not-a-uuid',
  'a number': '1',
  'a word of JavaScript': 'undefined',
  'a NUL': '\0',
  'a quote': `' OR '1'='1`,
  'a path': '../users/me',
  'not ASCII': '\u{1f600}',
};

describe('the records of another owner', () => {
  let service: TestService;
  let operations: Operation[];
  let owner: World;
  let stranger: World;
  let contents: unknown[];
  let cases = 0;

  beforeAll(async () => {
    service = await startService();
    operations = (await readOperations(service)).filter(({ isProtected }) => isProtected);
    owner = await aWorld(service.api);
    contents = await contentsOf(service.api, owner);
  });
  afterAll(async () => {
    process.stdout.write(`Ownership: ${cases} cases on ${operations.length} routes.\n`);
    await service.stop();
  });
  beforeEach(async () => (stranger = await aWorld(service.api)));
  // Whatever a stranger tries, the owner keeps everything as it was.
  afterEach(async () => expect(await contentsOf(service.api, owner)).toEqual(contents));

  const withBodyField = (field: string) => operations.filter(({ body }) => body?.properties?.[field]);
  const withQuery = (name: string) =>
    operations.filter(({ parameters }) => parameters.some((one) => one.in === 'query' && one.name === name));

  function verdict(findings: Findings, least: number): void {
    cases += findings.cases;
    expect(findings.wrong).toEqual([]);
    expect(findings.cases).toBeGreaterThanOrEqual(least);
  }

  it('are not there: every id in every path gets the very answer of an unknown one', async () => {
    const findings = new Findings();
    for (const operation of operations) {
      for (const parameter of parametersOf(operation.path)) {
        const other = { 'of another owner': owner.ids[parameter], ...IDS_OF_NOTHING };
        for (const [what, id] of Object.entries(other)) {
          const answer = await attempt(service.api, operation, stranger, { ids: { [parameter]: id } });
          findings.expect(
            operation,
            `${parameter} ${what}`,
            [answer.status, answer.body?.code],
            [404, 'not_found'],
          );
          const unknown = await attempt(service.api, operation, stranger, {
            ids: { [parameter]: randomUUID() },
          });
          findings.expect(operation, `${parameter} ${what}, as unknown`, visible(answer), visible(unknown));
        }
      }
    }
    verdict(findings, 18 * Object.keys(IDS_OF_NOTHING).length);
  });

  it('are not there for a conditional write either, whatever it demands', async () => {
    const findings = new Findings();
    const isConditional = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'If-Match');
    for (const operation of operations.filter(
      (one) => isConditional(one) && parametersOf(one.path).length > 0,
    )) {
      for (const condition of ['"1"', '"7"', '*']) {
        const headers = { 'If-Match': condition };
        const { status } = await attempt(service.api, operation, stranger, { ids: owner.ids, headers });
        findings.expect(operation, `If-Match: ${condition}`, status, 404);
      }
    }
    verdict(findings, 8 * 3);
  });

  it('are not there under a parent of the stranger, nor is a record of theirs under another parent', async () => {
    const findings = new Findings();
    const second = await aWorld(service.api);
    for (const operation of operations.filter(({ path }) => parametersOf(path).length > 1)) {
      const [parent, child] = parametersOf(operation.path);
      const mixtures = {
        'both of another owner': { ids: owner.ids },
        'a child of another owner': { ids: { [child]: owner.ids[child] } },
        'a parent of another owner': { ids: { [parent]: owner.ids[parent] } },
      };
      for (const [what, { ids }] of Object.entries(mixtures)) {
        const { status } = await attempt(service.api, operation, stranger, { ids });
        findings.expect(operation, what, status, 404);
      }
      const create = operations.find(({ method, path }) => method === 'POST' && path === '/api/medications')!;
      const sibling = (await attempt(service.api, create, second)).body.id;
      const { status } = await attempt(service.api, operation, second, { ids: { [parent]: sibling } });
      findings.expect(operation, 'a sibling as the parent', status, 404);
      const own = await attempt(service.api, operation, second);
      findings.expect(operation, 'the right parent', own.status, operation.status);
    }
    verdict(findings, 5);
  });

  it('are as deleted ones: the second delete gets the answer of an unknown id', async () => {
    const findings = new Findings();
    const isDelete = ({ method, path }: Operation) => method === 'DELETE' || /\}\/delete$/.test(path);
    for (const operation of operations.filter(isDelete)) {
      const world = await aWorld(service.api);
      const parameter = parametersOf(operation.path).at(-1)!;
      const unknown = await attempt(service.api, operation, world, { ids: { [parameter]: randomUUID() } });
      const { status } = await attempt(service.api, operation, world);
      findings.expect(operation, 'once', status, 204);
      findings.expect(
        operation,
        'twice',
        visible(await attempt(service.api, operation, world)),
        visible(unknown),
      );
      const reads = operations.filter(({ method, path }) => method === 'GET' && path === parameter);
      for (const read of reads) {
        findings.expect(read, 'after its deletion', (await attempt(service.api, read, world)).status, 404);
      }
    }
    verdict(findings, 16);
  });

  it('cannot be hung under a foreign profile: a profile_id in a body is theirs or not there', async () => {
    const findings = new Findings();
    const gone = await aProfile(service.api, stranger.account.token);
    await service.api.delete(`/api/profiles/${gone}`, undefined, { token: stranger.account.token });
    const profiles = {
      'of another owner': owner.ids['/api/profiles/{id}'],
      unknown: randomUUID(),
      deleted: gone,
    };
    // A profile's own id is not the name of a parent.
    for (const operation of withBodyField('profile_id').filter(
      ({ path }) => !path.startsWith('/api/profiles'),
    )) {
      for (const [what, profileId] of Object.entries(profiles)) {
        const full = { ...bodyOf(operation, stranger), profile_id: profileId };
        const bodies: object[] = [full];
        if (!operation.body!.required)
          bodies.push({ profile_id: profileId }, { profile_id: profileId, encrypted_data: aBlob() });
        for (const body of bodies) {
          const answer = await attempt(service.api, operation, stranger, { body });
          const fields = Object.keys(body).join();
          findings.expect(
            operation,
            `${what} in ${fields}`,
            [answer.status, answer.body?.code],
            [404, 'not_found'],
          );
          const unknown = await attempt(service.api, operation, stranger, {
            body: { ...body, profile_id: randomUUID() },
          });
          findings.expect(operation, `${what} in ${fields}, as unknown`, visible(answer), visible(unknown));
        }
      }
      const malformed = await attempt(service.api, operation, stranger, {
        body: { ...bodyOf(operation, stranger), profile_id: 'x' },
      });
      findings.expect(
        operation,
        'malformed',
        [malformed.status, malformed.body?.code],
        [400, 'validation_failed'],
      );
    }
    verdict(findings, 6 * 7);
  });

  it('cannot be listed: a profile_id in a query is theirs or leads to nothing', async () => {
    const findings = new Findings();
    const query = (id: string) => ({ query: `?profile_id=${id}` });
    for (const operation of withQuery('profile_id')) {
      for (const id of [owner.ids['/api/profiles/{id}'], randomUUID()]) {
        const { status, text } = await attempt(service.api, operation, stranger, query(id));
        findings.expect(operation, 'of another owner or unknown', [status, text], [200, '[]']);
      }
      const own = await attempt(service.api, operation, stranger, query(stranger.ids['/api/profiles/{id}']));
      findings.expect(operation, 'own', [own.status, own.body.length], [200, 1]);
      const malformed = await attempt(service.api, operation, stranger, query('x'));
      findings.expect(
        operation,
        'malformed',
        [malformed.status, malformed.body.code],
        [400, 'validation_failed'],
      );
    }
    verdict(findings, 3 * 4);
  });

  it('are in no answer to a stranger, not even behind a cursor of the owner', async () => {
    const findings = new Findings();
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const queries = [''];
      if (withQuery('cursor').includes(operation)) {
        const path = urlOf(operation.path, owner.ids);
        const [first] = (await service.api.get(path, { token: owner.account.token })).body;
        const at = first.loggedAt ?? first.recorded_at ?? first.created_at;
        const cursor = encodeCursor({ at, id: first.id ?? first.profile_id });
        queries.push('?limit=1', `?limit=1000&cursor=${cursor}`);
      }
      for (const query of queries) {
        const { status, text } = await attempt(service.api, operation, stranger, { query });
        findings.expect(operation, `answered${query}`, status, 200);
        const leaked = [owner.accountId, ...Object.values(owner.ids)].filter((id) => text.includes(id));
        findings.expect(operation, `leaks${query}`, leaked, []);
      }
    }
    verdict(findings, 50);
  });

  it('do not take an id away: a stranger may give the same to a record of theirs', async () => {
    const findings = new Findings();
    const creates = operations.filter(({ method, status }) => method === 'POST' && status === 201);
    for (const operation of creates) {
      const isProfile = operation.path === '/api/profiles';
      const parameter = operation.path.endsWith('/log')
        ? `${operation.path}/{dose_id}`
        : `${operation.path}/{id}`;
      const id = owner.ids[parameter];
      const body = { ...bodyOf(operation, stranger), [isProfile ? 'profile_id' : 'id']: id };
      const first = await attempt(service.api, operation, stranger, { body });
      findings.expect(operation, 'once', [first.status, first.body.id ?? first.body.profile_id], [201, id]);
      const second = await attempt(service.api, operation, stranger, { body });
      findings.expect(operation, 'twice', [second.status, second.body.code], [409, 'id_taken']);
    }
    const registration = aRegistration({ email: anEmail(), default_profile_wrapped_dek: 'key' });
    const profile = { default_profile_id: owner.ids['/api/profiles/{id}'] };
    expect((await service.api.post('/api/auth/register', { ...registration, ...profile })).status).toBe(201);
    verdict(findings, 2 * 5);
  });

  it('do not answer to an Idempotency-Key that their owner has used', async () => {
    const findings = new Findings();
    const takesKey = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'Idempotency-Key');
    const first = await aWorld(service.api);
    for (const operation of operations.filter(takesKey)) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const theirs = await attempt(service.api, operation, first, { headers });
      const ours = await attempt(service.api, operation, stranger, { headers });
      findings.expect(operation, 'both create', [theirs.status, ours.status], [201, 201]);
      findings.expect(operation, 'replayed', ours.headers.get('idempotency-replayed'), null);
      const again = await attempt(service.api, operation, first, { headers });
      findings.expect(operation, 'replayed to its owner', again.text, theirs.text);
    }
    verdict(findings, 3 * 5);
  });
});
