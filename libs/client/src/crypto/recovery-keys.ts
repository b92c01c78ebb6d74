import { utf8 } from '../encoding';
import { LABELS } from './labels';
import { deriveAesKey, deriveSecret, stretch } from './password-keys';
import { normalizeRecoveryPhrase } from './recovery-phrase';
import type { Key } from './web-crypto';

/**
 * Iterations for a phrase, fixed by the format: nobody can lower them. The whole phrase has 128 random bits and needs
 * none; they protect the one who let others see some of its words.
 */
export const RECOVERY_ITERATIONS = 600_000;

/** What a recovery phrase yields. */
export interface RecoveryKeys {
  /** Base64 of 32 bytes: what the service gets as `recovery_proof`. */
  recoveryProof: string;
  /** AES-256-GCM, not extractable, for wrapping only. */
  wrappingKey: Key;
}

/**
 * Derives what a phrase yields, byte by byte as in README.md. The salt is a constant: the phrase is a random secret
 * of 128 bits, against which no table can be prepared, and it must open the account from the email and phrase
 * alone, also after the email has changed.
 * @throws RecoveryPhraseError
 * Security: the phrase never leaves the device; the proof does not reveal the wrapping key.
 */
export async function deriveRecoveryKeys(typedPhrase: string): Promise<RecoveryKeys> {
  const phrase = normalizeRecoveryPhrase(typedPhrase);
  const master = await stretch(utf8(phrase), LABELS.recovery, RECOVERY_ITERATIONS);
  const [recoveryProof, wrappingKey] = await Promise.all([
    deriveSecret(master, LABELS.recoveryProof),
    deriveAesKey(master, LABELS.recoveryWrap, ['wrapKey', 'unwrapKey']),
  ]);
  return { recoveryProof, wrappingKey };
}
