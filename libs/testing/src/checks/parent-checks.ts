import { randomUUID } from 'node:crypto';
import type { Check, Subject } from '../check';
import { nameOf, type Operation } from '../document';
import { aBlob, aProfile } from '../factories';
import { visible } from '../failures';
import {
  aRecord,
  idFieldOf,
  parametersOf,
  PROFILE_ITEM,
  type KindUnderTest,
  type Registry,
} from '../record-kind';
import { attempt, aWorld, bodyOf } from '../world';
import { inMatrix, type Matrix } from './matrix';

/** A record cannot be created under a parent of another owner, moved there, or listed there. */
export function parentChecks(subject: Subject, registry: Registry): Check[] {
  const matrix = (name: string, least: number, run: (matrix: Matrix) => Promise<void>): Check => ({
    name,
    run: () => inMatrix(subject, registry, least, run),
  });
  const ofProfiles = registry.kinds.filter(({ under }) => under === 'profile');
  const nested = registry.kinds.filter(({ item }) => parametersOf(item).length > 1);
  return [
    matrix(
      'a record is not found under a parent of another owner, nor under another parent of its own',
      5 * nested.length,
      async ({ api, owner, stranger, operations, findings }) => {
        const second = await aWorld(api, registry);
        for (const operation of operations.filter(({ path }) => parametersOf(path).length > 1)) {
          const where = nameOf(operation);
          const [parent, child] = parametersOf(operation.path);
          const mixtures = {
            'both of another owner': owner.ids,
            'a child of another owner': { [child]: owner.ids[child] },
            'a parent of another owner': { [parent]: owner.ids[parent] },
          };
          for (const [what, ids] of Object.entries(mixtures))
            findings.expect(where, what, (await attempt(api, operation, stranger, { ids })).status, 404);
          const kind = registry.kinds.find(({ item }) => item === parent) as KindUnderTest;
          const sibling = (await aRecord(api, kind, second))[idFieldOf(kind)] as string;
          const ids = { [parent]: sibling };
          findings.expect(where, 'a sibling', (await attempt(api, operation, second, { ids })).status, 404);
          const own = await attempt(api, operation, second);
          findings.expect(where, 'the right parent', own.status, operation.status);
        }
      },
    ),
    matrix(
      'a profile_id in a body is the caller’s or not there',
      7 * ofProfiles.length,
      async ({ api, owner, stranger, operations, findings }) => {
        const gone = await aProfile(api, stranger.token);
        await api.delete(`/api/profiles/${gone}`, undefined, { token: stranger.token });
        const profiles = {
          'of another owner': owner.ids[PROFILE_ITEM],
          unknown: randomUUID(),
          deleted: gone,
        };
        for (const operation of operations.filter(takesProfile)) {
          const where = nameOf(operation);
          for (const [what, profile] of Object.entries(profiles)) {
            for (const body of bodiesOf(operation, { ...bodyOf(operation, stranger), profile_id: profile })) {
              const fields = `${what} in ${Object.keys(body).join()}`;
              const answer = await attempt(api, operation, stranger, { body });
              findings.expect(where, fields, [answer.status, answer.body?.code], [404, 'not_found']);
              const other = { ...body, profile_id: randomUUID() };
              const unknown = await attempt(api, operation, stranger, { body: other });
              findings.expect(where, `${fields}, as unknown`, visible(answer), visible(unknown));
            }
          }
          const body = { ...bodyOf(operation, stranger), profile_id: 'x' };
          const { status, body: failure } = await attempt(api, operation, stranger, { body });
          findings.expect(where, 'malformed', [status, failure?.code], [400, 'validation_failed']);
        }
      },
    ),
    matrix(
      'a profile_id in a query is the caller’s or leads to nothing',
      4 * ofProfiles.length,
      async ({ api, owner, stranger, operations, findings }) => {
        const ask = (operation: Operation, id: string) =>
          attempt(api, operation, stranger, { query: `?profile_id=${id}` });
        for (const operation of operations.filter(filtersByProfile)) {
          const where = nameOf(operation);
          for (const id of [owner.ids[PROFILE_ITEM], randomUUID()]) {
            const { status, text } = await ask(operation, id);
            findings.expect(where, 'of another owner or unknown', [status, text], [200, '[]']);
          }
          const own = await ask(operation, stranger.ids[PROFILE_ITEM]);
          findings.expect(where, 'own', [own.status, own.body.length], [200, 1]);
          const { status, body } = await ask(operation, 'x');
          findings.expect(where, 'malformed', [status, body.code], [400, 'validation_failed']);
        }
      },
    ),
  ];

  /**
   * Whether `profile_id` in the body names a parent. In the routes of profiles it is the profile's own id.
   */
  function takesProfile({ path, body }: Operation): boolean {
    return body?.properties?.profile_id !== undefined && !path.startsWith('/api/profiles');
  }

  /**
   * Returns the whole body. For an update it also returns bodies with only the profile, and
   * with the profile and a blob.
   */
  function bodiesOf({ path, body }: Operation, whole: Record<string, unknown>): object[] {
    if (body!.required) return [whole];
    const profile = { profile_id: whole.profile_id };
    const blobField = registry.kinds.find(({ item }) => item === path)?.blobField;
    return [whole, profile, ...(blobField ? [{ ...profile, [blobField]: aBlob() }] : [])];
  }
}

function filtersByProfile({ parameters }: Operation): boolean {
  return parameters.some((one) => one.in === 'query' && one.name === 'profile_id');
}
