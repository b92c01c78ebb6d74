import type { KeyRing } from '../account/key-ring';
import type { TrustBook, TrustBooks } from '../account/trust-book';
import type { CallOptions } from '../records/record-types';
import { openIdentity } from './formats/identity';
import type { Signer } from './own-identity';

/**
 * The identity of before all keys were replaced, for a space whose members do not know the new one yet.
 * @returns `undefined` where the identity has stayed the same, and for a space that is done.
 */
export async function formerSigner(
  { former }: TrustBook,
  spaceId: string,
  keys: KeyRing,
  trustBooks: () => Promise<TrustBooks>,
  accountId: string,
  options: CallOptions,
): Promise<Signer | undefined> {
  if (!former?.identity || !former.spaces?.includes(spaceId)) return undefined;
  const under = await (await trustBooks()).former(keys.accountKey, former.id, options);
  return under && { own: await openIdentity(former.identity, under, accountId), under };
}

/** The spaces to which this account still owes something after a replacement of all keys. */
export function unfinishedSpaces({ former }: TrustBook): readonly string[] {
  return former?.spaces ?? [];
}

/** A space is done: its members know the new keys, or this account is none of them any more. */
export function withoutUnfinished(book: TrustBook, spaceId: string): TrustBook {
  const { former } = book;
  if (!former?.spaces?.includes(spaceId)) return book;
  const { identity, spaces, ...kept } = former;
  const left = spaces.filter((id) => id !== spaceId);
  const rest = left.length > 0 ? { spaces: left, ...(identity && { identity }) } : {};
  return { ...book, former: { ...kept, ...rest } };
}
