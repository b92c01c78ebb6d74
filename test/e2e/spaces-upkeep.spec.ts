import { aMember, aSpace, join, type Member } from '@app/testing';
import { sql } from '../support/databases';
import { ops } from '../support/ops';
import { keepHouse, startService, type TestService } from '../support/service';

const DAYS = { UNUSED_ACCOUNT_DAYS: '30', ERASURE_DAYS: '7' };

let service: TestService;
beforeAll(async () => (service = await startService(DAYS)));
afterAll(() => service.stop());

const as = ({ token }: Member) => ({ token });
const idsOf = async (ids: string[]) =>
  (await sql<{ id: string }>(service.databaseUrl, 'SELECT id FROM accounts WHERE id = ANY ($1)', [ids])).map(
    ({ id }) => id,
  );
const run = (...args: string[]) => ops({ DATABASE_URL: service.databaseUrl }, ...args);

describe('the cleanup of unused accounts', () => {
  it('spares spaces, and whoever has a part in one', async () => {
    const { api } = service;
    const owner = await aMember(api);
    const space = await aSpace(api, owner);
    const viewer = await join(space, owner, 'viewer');
    const nobody = await aMember(api);
    const all = [owner.id, space.id, viewer.id, nobody.id];
    for (const change of [
      `UPDATE accounts SET created_at = now() - interval '60 days' WHERE id = ANY ($1)`,
      'DELETE FROM sessions WHERE account_id = ANY ($1)',
      'DELETE FROM security_events WHERE account_id = ANY ($1)',
    ])
      await sql(service.databaseUrl, change, [all]);
    await keepHouse(service);
    expect((await idsOf(all)).sort()).toEqual([owner.id, space.id, viewer.id].sort());
  });
});

describe('an erasure that waits some days', () => {
  it('is asked about shared profiles when it is planned, and takes its own along when it is due', async () => {
    const { api } = service;
    const owner = await aMember(api);
    const space = await aSpace(api, owner);
    const editor = await join(space, owner, 'editor');
    const erase = (more: object) =>
      api.post('/api/users/me/delete', { current_password: owner.password, ...more }, as(owner));
    expect((await erase({})).body.code).toBe('sole_owner');
    expect((await erase({ sole_spaces: 'delete' })).status).toBe(204);
    expect((await space.read(editor)).status).toBe(200);
    await sql(service.databaseUrl, 'UPDATE accounts SET erase_at = now() WHERE id = $1', [owner.id]);
    await keepHouse(service);
    expect(await idsOf([owner.id, space.id, editor.id])).toEqual([editor.id]);
    expect((await run('verify')).code).toBe(0);
  });
});

describe('the operator', () => {
  it('sees spaces among the accounts, by their id alone', async () => {
    const owner = await aMember(service.api);
    const space = await aSpace(service.api, owner);
    const { accounts } = (await run('accounts', '--limit', '1000')).result;
    const found = accounts.filter(({ id }: { id: string }) => [owner.id, space.id].includes(id));
    expect(found.map(({ id, email, is_space }: any) => [id, email, is_space]).sort()).toEqual(
      [
        [owner.id, owner.email, false],
        [space.id, '', true],
      ].sort(),
    );
  });

  it('erases the only owner of a shared profile only together with it', async () => {
    const owner = await aMember(service.api);
    const space = await aSpace(service.api, owner);
    await join(space, owner, 'viewer');
    const { code, errors } = await run('erase', owner.email, '--yes');
    expect([code, errors]).toEqual([3, expect.stringContaining('--sole-spaces')]);
    expect(await idsOf([owner.id, space.id])).toHaveLength(2);
    expect((await run('erase', owner.email, '--sole-spaces', 'all', '--yes')).code).toBe(2);
    expect((await run('erase', owner.email, '--sole-spaces', 'delete', '--yes')).code).toBe(0);
    expect(await idsOf([owner.id, space.id])).toEqual([]);
    expect((await run('verify')).code).toBe(0);
  });
});
