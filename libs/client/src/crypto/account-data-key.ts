import { type AccountKey, deriveFrom } from './account-key';
import { LABELS } from './labels';
import { FIRST_EPOCH, type ProfileKey } from './profile-key';
import { AES_GCM, subtle } from './web-crypto';

const KEY_BITS = 256;

/** The key of what the account itself seals, such as its trust book. */
export async function accountDataKeyOf({ input }: AccountKey): Promise<ProfileKey> {
  const bytes = await deriveFrom(input, LABELS.accountData(), KEY_BITS);
  const key = await subtle().importKey('raw', bytes, AES_GCM, false, ['encrypt', 'decrypt']);
  bytes.fill(0);
  return { key, epoch: FIRST_EPOCH };
}
