import { IntegrityError } from '../errors';
import { ObjectReader, readArray } from '../http/object-reader';
import { openWrap, wrapDataKey } from './key-wrapping';
import { openedAs, type OpenProfileKey, type ProfileKey } from './profile-key';

/** More than a few can only be a mistake: each ends when all records are sealed anew. */
const MAX_LINKS = 50;

/** The former keys of a profile under its newest one, newest first, as they are sealed in the profile. */
export type KeyChain = { epoch: number; wrapped: string; iv: string }[];

const place = (profileId: string, epoch: number) => ({ purpose: 'chain', profileId, epoch }) as const;

/**
 * Wraps the former key of a profile, and those before it.
 * @param former extractable: only inside one function that makes another key.
 */
export async function makeChain(
  former: readonly ProfileKey[],
  newest: ProfileKey,
  profileId: string,
): Promise<KeyChain> {
  return Promise.all(
    former.map(async ({ key, epoch }) => ({
      epoch,
      ...(await wrapDataKey(key, newest.key, place(profileId, epoch))),
    })),
  );
}

/**
 * Opens the former keys. What an honest service returns names each epoch once, below that of the newest key.
 * @throws IntegrityError `format_unsupported`, `tampered`
 */
export async function openChain(
  sealed: unknown,
  newest: ProfileKey,
  profileId: string,
  extractable = false,
): Promise<OpenProfileKey[]> {
  const chain = readChain(sealed, newest.epoch);
  if (!chain) {
    const reference = { kind: 'profile', id: profileId };
    throw new IntegrityError(
      'format_unsupported',
      'The former keys of a profile have another format.',
      reference,
    );
  }
  return Promise.all(
    chain.map(({ epoch, ...wrapped }) =>
      openedAs((into) => openWrap(wrapped, newest.key, place(profileId, epoch), into), epoch, extractable),
    ),
  );
}

function readChain(sealed: unknown, newest: number): KeyChain | undefined {
  if (sealed === undefined) return [];
  try {
    const links = readArray(sealed, 'keyChain').map((link) => {
      const reader = new ObjectReader(link, 'keyChain');
      return { epoch: reader.integer('epoch', 1), wrapped: reader.text('wrapped'), iv: reader.text('iv') };
    });
    const isFalling = links.every(({ epoch }, at) => epoch < (links[at - 1]?.epoch ?? newest));
    return isFalling && links.length <= MAX_LINKS ? links : undefined;
  } catch {
    return undefined;
  }
}
