import { randomUUID } from 'node:crypto';
import { encodeCursor } from '@app/common';
import type { Check, Subject } from '../check';
import { nameOf, type Operation } from '../document';
import { visible } from '../failures';
import { idFieldOf, parametersOf, type Registry, urlOf } from '../record-kind';
import { attempt, aWorld, bodyOf, type World } from '../world';
import { inMatrix, type Matrix } from './matrix';
import { parentChecks } from './parent-checks';

/**
 * Path parameters for which the caller has no record. The tests also use the other owner's id
 * and the id of a deleted record.
 */
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
const NOT_THERE = [404, 'not_found'];

/** On no route of the document can a caller read, change, delete or detect the record of another owner. */
export function ownershipChecks(subject: Subject, registry: Registry): Check[] {
  const kinds = registry.kinds.length;
  const matrix = (name: string, least: number, run: (matrix: Matrix) => Promise<void>): Check => ({
    name,
    run: () => inMatrix(subject, registry, least, run),
  });
  return [
    matrix(
      'every id of another owner in every path gets the very answer of an unknown one',
      2 * kinds * Object.keys(IDS_OF_NOTHING).length,
      async ({ api, owner, stranger, operations, findings }) => {
        const isPut = ({ method, path }: Operation) =>
          method === 'PUT' && registry.others?.some((other) => other.isPut && other.item === path);
        for (const operation of operations.filter((each) => !isPut(each))) {
          for (const parameter of parametersOf(operation.path)) {
            const others = { 'of another owner': owner.ids[parameter], ...IDS_OF_NOTHING };
            const where = nameOf(operation);
            const unknown = await attempt(api, operation, stranger, { ids: { [parameter]: randomUUID() } });
            for (const [what, id] of Object.entries(others)) {
              const answer = await attempt(api, operation, stranger, { ids: { [parameter]: id } });
              const seen = [answer.status, answer.body?.code];
              findings.expect(where, `${parameter} ${what}`, seen, NOT_THERE);
              findings.expect(where, `${parameter} ${what}, as unknown`, visible(answer), visible(unknown));
            }
          }
        }
      },
    ),
    matrix(
      'a conditional write does not find the record of another owner either, whatever it demands',
      3 * kinds,
      async ({ api, owner, stranger, operations, findings }) => {
        const conditional = operations.filter(
          ({ path, parameters }) =>
            parametersOf(path).length > 0 && parameters.some(({ name }) => name === 'If-Match'),
        );
        for (const operation of conditional) {
          for (const condition of ['"1"', '"7"', '*']) {
            const headers = { 'If-Match': condition };
            const { status } = await attempt(api, operation, stranger, { ids: owner.ids, headers });
            findings.expect(nameOf(operation), `If-Match: ${condition}`, status, 404);
          }
        }
      },
    ),
    matrix(
      'the second delete of a record gets the answer of an unknown id',
      2 * kinds,
      async ({ api, operations, findings }) => {
        const isDelete = ({ method, path }: Operation) => method === 'DELETE' || /\}\/delete$/.test(path);
        for (const operation of operations.filter(isDelete)) {
          const world = await aWorld(api, registry);
          const where = nameOf(operation);
          const parameter = parametersOf(operation.path).at(-1)!;
          const unknown = await attempt(api, operation, world, { ids: { [parameter]: randomUUID() } });
          findings.expect(where, 'once', (await attempt(api, operation, world)).status, 204);
          const again = await attempt(api, operation, world);
          findings.expect(where, 'twice', visible(again), visible(unknown));
          const reads = operations.filter(({ method, path }) => method === 'GET' && path === parameter);
          for (const read of reads)
            findings.expect(
              nameOf(read),
              'after its deletion',
              (await attempt(api, read, world)).status,
              404,
            );
        }
      },
    ),
    matrix(
      'no answer to a stranger holds an id of the owner, not even behind a cursor of the owner',
      4 * kinds,
      async ({ api, owner, stranger, operations, findings }) => {
        for (const operation of operations.filter(({ method }) => method === 'GET')) {
          for (const query of ['', ...(await pageQueries(operation, owner))]) {
            const { status, text } = await attempt(api, operation, stranger, { query });
            findings.expect(nameOf(operation), `answered${query}`, status, 200);
            const leaked = [owner.accountId, ...Object.values(owner.ids)].filter((id) => text.includes(id));
            findings.expect(nameOf(operation), `leaks${query}`, leaked, []);
          }
        }
      },
    ),
    matrix(
      'an id of the owner is not taken for a stranger',
      2,
      async ({ api, owner, stranger, operations, findings }) => {
        for (const kind of registry.kinds) {
          const idField = idFieldOf(kind);
          const create = operations.find(
            ({ method, path }) => method === 'POST' && path === kind.collection,
          )!;
          // Not every module accepts ids from clients.
          if (!create.body?.properties?.[idField]) continue;
          const body = { ...bodyOf(create, stranger), [idField]: owner.ids[kind.item] };
          const first = await attempt(api, create, stranger, { body });
          const seen = [first.status, first.body[idField]];
          findings.expect(nameOf(create), 'once', seen, [201, owner.ids[kind.item]]);
          const second = await attempt(api, create, stranger, { body });
          findings.expect(nameOf(create), 'twice', [second.status, second.body.code], [409, 'id_taken']);
        }
      },
    ),
    matrix(
      'an Idempotency-Key that the owner has used answers nothing of theirs to a stranger',
      3 * kinds,
      async ({ api, stranger, operations, findings }) => {
        const takesKey = ({ method, isProtected, parameters }: Operation) =>
          isProtected && method === 'POST' && parameters.some(({ name }) => name === 'Idempotency-Key');
        const first = await aWorld(api, registry);
        for (const operation of operations.filter(takesKey)) {
          const headers = { 'Idempotency-Key': randomUUID() };
          const where = nameOf(operation);
          const theirs = await attempt(api, operation, first, { headers });
          const ours = await attempt(api, operation, stranger, { headers });
          findings.expect(where, 'both create', [theirs.status, ours.status], [201, 201]);
          findings.expect(where, 'replayed', ours.headers.get('idempotency-replayed'), null);
          const again = await attempt(api, operation, first, { headers });
          findings.expect(where, 'replayed to its owner', again.text, theirs.text);
        }
      },
    ),
    ...parentChecks(subject, registry),
  ];

  /** Queries for the first page, and for the page after the owner's first record. */
  async function pageQueries({ path, parameters }: Operation, owner: World): Promise<string[]> {
    if (!parameters.some(({ name }) => name === 'cursor')) return [];
    const kind = registry.kinds.find(({ collection }) => collection === path);
    const token = { token: owner.token };
    const list = (await subject().api.get(urlOf(path, owner.ids), token)).body as Record<string, string>[];
    // A feed is not a list of records. Its cursor is valid for one account only, so the cursor of
    // another account is refused.
    if (!Array.isArray(list)) return ['?limit=1'];
    const [first] = list;
    const at = first[kind?.orderField ?? kind?.orderColumn ?? 'created_at'];
    const cursor = encodeCursor({ at, id: first[kind ? idFieldOf(kind) : 'id'] });
    return ['?limit=1', `?limit=1000&cursor=${cursor}`];
  }
}
