import { newId } from '../../ids';
import { newSpacePerson, type SpacePerson } from '../../testing/space-people';
import {
  makeIdentity,
  openIdentity,
  pairDigits,
  publicIdentityOf,
  readIdentity,
  rewrapIdentity,
  withSeeds,
  type OwnIdentity,
  type StoredIdentity,
} from './identity';

let ada: SpacePerson;
let ben: SpacePerson;

beforeAll(async () => {
  [ada, ben] = await Promise.all([newSpacePerson(), newSpacePerson()]);
});

const stored = ({ sharing, signing, wrapped }: OwnIdentity): StoredIdentity => ({
  ...{ sharing_public: sharing, signing_public: signing },
  ...{ wrapped: wrapped.wrapped, wrapped_iv: wrapped.iv },
});
const altered = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`);

it('has the lengths of the format', () => {
  const { sharing, signing, id, wrapped } = ada.own;
  const lengths = [sharing, signing, id, wrapped.wrapped, wrapped.iv].map((each) => each.length);
  expect(lengths).toEqual([1624, 44, 44, 108, 16]);
});

it('opens what the service stores, and clears the seeds after their use', async () => {
  expect(await openIdentity(stored(ada.own), ada.account, ada.own.account)).toEqual(ada.own);
  let seen: Uint8Array[] = [];
  await withSeeds(ada.own, ada.account, (seeds) => {
    seen = [seeds.sharing, seeds.signing];
    expect(seen.every((seed) => seed.length === 32 && seed.some((byte) => byte !== 0))).toBe(true);
    return Promise.resolve();
  });
  expect(seen.every((seed) => seed.every((byte) => byte === 0))).toBe(true);
});

const openOther = (changes: Partial<StoredIdentity>) =>
  openIdentity({ ...stored(ada.own), ...changes }, ada.account, ada.own.account);

it('opens for no other account (attack 5)', async () => {
  const wrong = [
    () => openIdentity(stored(ada.own), ben.account, ada.own.account),
    () => openIdentity(stored(ada.own), ada.account, ben.own.account),
  ];
  for (const open of wrong) await expect(open()).rejects.toMatchObject({ code: 'tampered' });
});

it.each(['sharing_public', 'signing_public', 'wrapped', 'wrapped_iv'] as const)(
  'refuses another %s (attack 5)',
  async (name) => {
    const right = stored(ada.own)[name];
    for (const wrong of [altered(right), stored(ben.own)[name], right.slice(4), `${right}\n`, '']) {
      await expect(openOther({ [name]: wrong })).rejects.toMatchObject({ code: 'tampered' });
    }
  },
);

it('refuses seeds that do not make the public halves, though this account has wrapped them', async () => {
  // As a client with a mistake would store it: the wrap names the id, and holds the seeds of another identity.
  const other = await makeIdentity(ada.account, ada.own.account);
  for (const half of [{ sharing: other.sharing }, { signing: other.signing }]) {
    const mixed = { ...ada.own, ...half };
    const { wrapped } = await sealAs(mixed);
    await expect(
      openOther({ ...stored(mixed), wrapped: wrapped.wrapped, wrapped_iv: wrapped.iv }),
    ).rejects.toThrow('The secret keys of this account do not belong to its public ones.');
  }
});

/** Wraps the seeds of Ada under the id of other public halves. */
async function sealAs(mixed: OwnIdentity): Promise<OwnIdentity> {
  const id = await idOf(mixed);
  const raw = await withSeeds(ada.own, ada.account, ({ sharing, signing }) =>
    Promise.resolve(Uint8Array.from([...sharing, ...signing])),
  );
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 512 };
  const key = await crypto.subtle.importKey('raw', raw, hmac, true, ['sign']);
  const { wrapDataKey } = await import('../../crypto/key-wrapping.js');
  const wrapped = await wrapDataKey(key, ada.account.key, { purpose: 'identity', identityId: id });
  return { ...mixed, id, wrapped };
}

async function idOf({ account, sharing, signing }: OwnIdentity): Promise<string> {
  const text = ['health-records/v2/identity', account, sharing, signing].join('\n');
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64');
}

it('has the id that the format says, which depends on account and both keys', async () => {
  expect(ada.own.id).toBe(await idOf(ada.own));
  const ids = await Promise.all(
    [ada.own, { ...ada.own, account: newId() }, { ...ada.own, signing: ben.own.signing }].map(idOf),
  );
  expect(new Set(ids).size).toBe(3);
});

it('is read by others, without its secret halves', async () => {
  const sent = await publicIdentityOf(ada.own, ada.account);
  expect(Object.keys(sent)).toEqual(['account', 'sharing', 'signing', 'signature']);
  const { account, sharing, signing, id } = ada.own;
  expect(await readIdentity(JSON.parse(JSON.stringify(sent)))).toEqual({ account, sharing, signing, id });
});

it('is refused by others with any member of another (attack 5)', async () => {
  const [sent, others] = await Promise.all([
    publicIdentityOf(ada.own, ada.account),
    publicIdentityOf(ben.own, ben.account),
  ]);
  const names = ['account', 'sharing', 'signing', 'signature'] as const;
  const wrong = names.flatMap((name) => [
    { ...sent, [name]: others[name] },
    { ...sent, [name]: sent[name].slice(4) },
    { ...sent, [name]: undefined },
    { ...sent, [name]: 7 },
  ]);
  for (const each of [...wrong, { ...sent, account: sent.account.toUpperCase() }, null, 'text', []]) {
    await expect(readIdentity(each)).rejects.toMatchObject({ code: 'tampered' });
  }
});

it('stays the same under a new account key', async () => {
  const moved = await rewrapIdentity(ada.own, ada.account, ben.account);
  expect(moved).toEqual({ ...ada.own, wrapped: moved.wrapped });
  expect(await openIdentity(stored(moved), ben.account, ada.own.account)).toEqual(moved);
  await expect(rewrapIdentity(moved, ada.account, ben.account)).rejects.toMatchObject({ code: 'tampered' });
});

it('has digits for two, the same on both sides, and others for other keys (attack 19)', async () => {
  const digits = await pairDigits(ada.own.id, ben.own.id);
  expect(digits).toMatch(/^\d{5}( \d{5}){5}$/);
  expect(await pairDigits(ben.own.id, ada.own.id)).toBe(digits);
  const thief = await makeIdentity(ada.account, ada.own.account);
  expect(await pairDigits(thief.id, ben.own.id)).not.toBe(digits);
});
