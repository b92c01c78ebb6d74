import type { Answer } from '../api';
import { type Check, Findings, type Subject } from '../check';
import { nameOf, type Operation, readProtectedOperations } from '../document';
import {
  aHousehold,
  createRecord,
  deleteRecord,
  type Household,
  idFieldOf,
  itemPath,
  type KindUnderTest,
  PROFILE_ITEM,
  type Registry,
  updateRecord,
} from '../record-kind';
import {
  aMember,
  aSpace,
  type Member,
  type SpaceUnderTest,
  type SpaceRoleUnderTest,
  idOfAccount,
  join,
} from '../spaces';
import { resignToken } from '../tokens';
import { attempt, aWorld } from '../world';

const ROLES = ['viewer', 'carer', 'editor', 'owner'] as const;
const rankOf = (role: SpaceRoleUnderTest) => ROLES.indexOf(role);

/** The routes that are no kind of record: the least role that each asks of a member. All others work in no space. */
const LEAST_ROLES: Record<string, SpaceRoleUnderTest> = {
  'GET /api/medications/{id}/adherence': 'viewer',
  'GET /api/sync': 'viewer',
  'GET /api/users/me/usage': 'viewer',
  'GET /api/space': 'viewer',
  'GET /api/space/rosters': 'viewer',
  'POST /api/space/keys': 'viewer',
  'POST /api/space/leave': 'viewer',
  'POST /api/space/roles': 'viewer',
  'POST /api/reseal': 'owner',
  'GET /api/space/invitations': 'owner',
  'POST /api/space/invitations': 'owner',
  'POST /api/space/invitations/{id}/delete': 'owner',
  'POST /api/space/members': 'owner',
  'POST /api/space/rekey': 'owner',
  'POST /api/space/keeper': 'owner',
  'POST /api/space/delete': 'owner',
};
/** A shared profile begins and ends by other routes. */
const OF_NOBODY = ['POST /api/profiles', 'DELETE /api/profiles/{id}'];

/** A space with a member of each role, and a record of each kind that has children. */
interface Circle {
  space: SpaceUnderTest;
  members: Record<SpaceRoleUnderTest, Member>;
  household: Household;
}

/** The least role for each write of a kind. */
function leastOf({ inSpaces = {} }: KindUnderTest) {
  return { create: 'editor', update: 'editor', delete: 'editor', ...inSpaces } as const;
}

/** The role that each route asks of a member, by the name of the route: of records, and of everything else. */
function leastRoles({ kinds }: Registry): Record<string, SpaceRoleUnderTest> {
  const ofKinds = kinds.flatMap((kind) => {
    const least = leastOf(kind);
    const { collection, item, update, deleteWith } = kind;
    return [
      [`GET ${collection}`, 'viewer'],
      [`POST ${collection}`, least.create],
      ...(update
        ? [
            [`GET ${item}`, 'viewer'],
            [`${update.method} ${item}`, least.update],
          ]
        : []),
      [deleteWith === 'POST' ? `POST ${item}/delete` : `DELETE ${item}`, least.delete],
    ];
  });
  return { ...Object.fromEntries(ofKinds), ...LEAST_ROLES };
}

/** Each route does in a space what the role of the member allows, and nothing else. */
export function spaceChecks(subject: Subject, registry: Registry): Check[] {
  const withMembers = async (space: SpaceUnderTest, household: Household): Promise<Circle> => {
    const owner = { ...household.account, id: idOfAccount(household) };
    const [viewer, carer, editor] = [
      await join(space, owner, 'viewer'),
      await join(space, owner, 'carer'),
      await join(space, owner, 'editor'),
    ];
    return { space, household, members: { viewer, carer, editor, owner } };
  };
  const aCircle = async (): Promise<Circle> => {
    const { api } = subject();
    const household = await aHousehold(api, registry);
    const owner = { ...household.account, id: idOfAccount(household) };
    return withMembers(await aSpace(api, owner, household.profileId), household);
  };
  /** A household as another member sends for it. */
  const seenBy = ({ household }: Circle, { token }: Member): Household => ({ ...household, token });
  const told = ({ status, body }: Answer) => [status, (body as { code?: string } | undefined)?.code];
  const TOO_LOW = [403, 'space_role_too_low'];

  return [
    {
      name: 'every route answers a member of too low a role alike, one that works in no space too, and a stranger not at all',
      timeoutMs: 60_000,
      run: async () => {
        const { api } = subject();
        const world = await aWorld(api, registry);
        const { space, members } = await withMembers(world.space!, world);
        const stranger = await aMember(api);
        const least = leastRoles(registry);
        const findings = new Findings();
        const operations = await readProtectedOperations(api);
        const send = (operation: Operation, member: Member, version?: number) =>
          attempt(api, operation, world, space.as(member, version));
        for (const operation of operations) {
          const name = nameOf(operation);
          const role = least[name] as SpaceRoleUnderTest | undefined;
          const isOfNobody = OF_NOBODY.includes(name);
          if (role === undefined && !isOfNobody) {
            findings.expect(name, 'in a space', told(await send(operation, members.owner)), [
              400,
              'space_not_supported',
            ]);
            continue;
          }
          findings.expect(name, 'for a stranger', told(await send(operation, stranger)), [404, 'not_found']);
          for (const each of ROLES) {
            if (isOfNobody)
              findings.expect(name, `for a ${each}`, told(await send(operation, members[each])), [
                409,
                'space_profile',
              ]);
            else if (rankOf(each) < rankOf(role!))
              findings.expect(name, `for a ${each}`, told(await send(operation, members[each])), TOO_LOW);
          }
          if (isOfNobody) continue;
          const late = told(await send(operation, members.owner, space.version + 1));
          findings.expect(name, 'with another version', late, [409, 'space_changed']);
        }
        findings.verdict(operations.length);
      },
    },
    {
      name: 'every route refuses a bad token before it looks at the space',
      timeoutMs: 60_000,
      run: async () => {
        const { api } = subject();
        const world = await aWorld(api, registry);
        const { refreshToken } = world.account;
        const ended = resignToken(world.token, { payload: { exp: 1 } });
        const names = [...Object.keys(leastRoles(registry)), ...OF_NOBODY];
        const all = await readProtectedOperations(api);
        const operations = all.filter((operation) => names.includes(nameOf(operation)));
        const findings = new Findings();
        const refuses = async (what: string, token: string, code: string) => {
          const { headers } = world.space!.as(world);
          for (const operation of operations) {
            const answer = await attempt(api, operation, world, { token, headers });
            findings.expect(nameOf(operation), what, told(answer), [401, code]);
          }
        };
        await refuses('no token', '', 'token_missing');
        await refuses('no token of the service', 'x.y.z', 'token_invalid');
        await refuses('a refresh token', refreshToken, 'token_invalid');
        await refuses('an expired token', ended, 'token_expired');
        await api.post('/api/auth/logout-all', undefined, { token: world.token });
        await refuses('a revoked token', world.token, 'token_revoked');
        findings.verdict(5 * operations.length);
      },
    },
    {
      name: 'every member writes and reads what its role allows, a carer only what is theirs',
      timeoutMs: 60_000,
      run: async () => {
        const { api } = subject();
        const circle = await aCircle();
        const { space, members } = circle;
        const findings = new Findings();
        for (const kind of registry.kinds.filter(({ item }) => item !== PROFILE_ITEM)) {
          const least = leastOf(kind);
          const mayDo = (role: SpaceRoleUnderTest, what: keyof typeof least) =>
            rankOf(role) >= rankOf(least[what]);
          for (const role of ROLES) {
            const options = space.as(members[role]);
            const household = seenBy(circle, members[role]);
            const make = async (by: SpaceRoleUnderTest) =>
              createRecord(api, kind, seenBy(circle, members[by]), undefined, space.as(members[by]));
            const where = `${kind.name} for a ${role}`;
            const theirs = (await make('owner')).body as Record<string, string>;
            const own = await make(role);
            findings.expect(where, 'create', told(own), mayDo(role, 'create') ? [201, undefined] : TOO_LOW);
            const records = [['of another', theirs], ...(own.status === 201 ? [['own', own.body]] : [])] as [
              string,
              Record<string, string>,
            ][];
            for (const [whose, record] of records) {
              const id = record[idFieldOf(kind)];
              const isOwn = record.author_id === members[role].id;
              const may = (what: keyof typeof least) => mayDo(role, what) && (role !== 'carer' || isOwn);
              if (kind.update) {
                const read = await api.get(itemPath(kind, household, id), options);
                findings.expect(where, `read ${whose}`, read.text, JSON.stringify(record));
                const change = kind.update.change();
                const changed = await updateRecord(api, kind, household, id, change, options);
                findings.expect(
                  where,
                  `change ${whose}`,
                  told(changed),
                  may('update') ? [200, undefined] : TOO_LOW,
                );
              }
              const gone = await deleteRecord(api, kind, household, id, undefined, options);
              findings.expect(
                where,
                `delete ${whose}`,
                told(gone),
                may('delete') ? [204, undefined] : TOO_LOW,
              );
            }
          }
        }
        findings.verdict(4 * (registry.kinds.length - 1));
      },
    },
  ];
}
