import { aBlob } from '../factories';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { sql } from '../databases';
import { isUnderProfile, PROFILE_ITEM, type KindUnderTest, type Registry, urlOf } from '../record-kind';
import { accountTables, tablesHolding, TOMBSTONES } from '../tables';
import { aWorld, contentsOf, type World } from '../world';
import { addTotp } from '../totp';

const HOW_TO_ERASE = 'Its migration must give it a foreign key to its parent with ON DELETE CASCADE.';

/** Its rows name members in base64, and their space as the account. */
const OF_SPACES_ALONE = 'space_rosters';

/** The deletion of an account or a profile leaves no data of it in any table. */
export function erasureChecks(subject: Subject, registry: Registry): Check[] {
  const world = () => aWorld(subject().api, registry);
  const erase = ({ account, token }: World) =>
    subject().api.post('/api/users/me/delete', { current_password: account.password }, { token });
  /** How many records of each kind the account has. */
  const countsOf = async ({ accountId }: World) => {
    const counts: Record<string, number> = {};
    for (const { name, table } of registry.kinds) {
      const text = `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`;
      const [{ count }] = await sql<{ count: number }>(subject().databaseUrl, text, [accountId]);
      counts[name] = count;
    }
    return counts;
  };
  return [
    {
      name: 'an account that is deleted leaves no row in any table',
      run: async () => {
        const { databaseUrl } = subject();
        const erased = await world();
        const { email, password } = erased.account;
        const { api } = subject();
        const ended = await api.post('/api/auth/login', { email, password, remember_device: true });
        await api.post('/api/auth/logout', { refresh_token: ended.body.refresh_token });
        await addTotp(api, erased.account);
        const book = { encrypted_data: aBlob() };
        expectSame((await api.put('/api/trust-book', book, { token: erased.token })).status, 200);
        const tables = await accountTables(databaseUrl);
        for (const { table } of registry.kinds)
          expectTrue(tables.includes(table), `The table ${table} has no account_id.`);
        const filled = tables.filter((table) => table !== OF_SPACES_ALONE);
        expectSame(await tablesHolding(databaseUrl, erased.accountId), filled, 'the tables that are filled');
        expectTrue(
          (await tablesHolding(databaseUrl, erased.space!.id)).includes(OF_SPACES_ALONE),
          'There is no roster.',
        );
        const { status, text } = await erase(erased);
        expectSame([status, text], [204, '']);
        const left = [
          ...(await tablesHolding(databaseUrl, erased.accountId)),
          ...(await tablesHolding(databaseUrl, erased.space!.id)),
        ];
        expectSame(
          left
            .filter((table) => table !== TOMBSTONES)
            .map((table) => `The table ${table} still has rows. ${HOW_TO_ERASE}`),
          [],
        );
        expectSame(await tablesHolding(databaseUrl, erased.account.email), []);
      },
    },
    {
      name: 'an account that is deleted leaves every row of another account',
      run: async () => {
        const [erased, other] = [await world(), await world()];
        const before = await contentsOf(subject().api, other, registry);
        expectSame((await erase(erased)).status, 204);
        expectSame(await contentsOf(subject().api, other, registry), before);
      },
    },
    {
      name: 'a profile that is deleted leaves nothing under it',
      run: async () => {
        const home = await world();
        const counts = await countsOf(home);
        for (const { name } of registry.kinds)
          expectTrue(counts[name] > 0, `The account has no ${name}: this check would prove nothing.`);
        const path = urlOf(PROFILE_ITEM, home.ids);
        expectSame((await subject().api.delete(path, undefined, { token: home.token })).status, 204);
        const after = await countsOf(home);
        const goes = (kind: KindUnderTest) => kind.item === PROFILE_ITEM || isUnderProfile(kind, registry);
        const left = registry.kinds.filter((kind) => goes(kind) && after[kind.name] > 0);
        expectSame(
          left.map(({ name }) => `${after[name]} of kind ${name} are still there. ${HOW_TO_ERASE}`),
          [],
        );
      },
    },
  ];
}
