import { utf8 } from '../encoding';
import { LABELS } from './labels';
import { deriveAesKey, deriveSecret, stretch } from './password-keys';
import { normalizeRecoveryPhrase } from './recovery-phrase';
import type { Key } from './web-crypto';

/**
 * Iterations for a phrase. The format fixes the number, so nobody can lower it. A complete phrase has 128
 * random bits and needs no iterations. They protect a person whose phrase is partly known to others.
 */
export const RECOVERY_ITERATIONS = 600_000;

/** The keys of a recovery phrase. */
export interface RecoveryKeys {
  /** Base64 of 32 bytes. The service receives it as `recovery_proof`. */
  recoveryProof: string;
  /** AES-256-GCM, not extractable, for wrapping only. */
  wrappingKey: Key;
}

/**
 * Derives the keys of a phrase, byte by byte as in README.md. The salt is a constant. The phrase is a random
 * secret of 128 bits, so nobody can prepare a table for it. The phrase and the email alone must open the
 * account, also after a change of the email.
 * @throws RecoveryPhraseError
 * Security: the phrase never leaves the device; the proof does not reveal the wrapping key.
 */
export async function deriveRecoveryKeys(typedPhrase: string): Promise<RecoveryKeys> {
  const phrase = await normalizeRecoveryPhrase(typedPhrase);
  const master = await stretch(utf8(phrase), LABELS.recovery(), RECOVERY_ITERATIONS);
  const [recoveryProof, wrappingKey] = await Promise.all([
    deriveSecret(master, LABELS.recoveryProof()),
    deriveAesKey(master, LABELS.recoveryWrap(), ['wrapKey', 'unwrapKey']),
  ]);
  return { recoveryProof, wrappingKey };
}
