import { generateDataKey, wrapDataKey } from '../crypto/key-wrapping';
import { derivePasswordKeys, type KdfParameters } from '../crypto/password-keys';
import { deriveRecoveryKeys } from '../crypto/recovery-keys';
import type { FakeService } from './fake-service';

/** An account as clients made it before: with 600,000 rounds, an id of the service, and wraps of version 1. */
export async function olderAccount(
  service: FakeService,
  { email, password, phrase }: { email: string; password: string; phrase: string },
): Promise<void> {
  const post = async (path: string, body: object) => {
    const url = `https://health.example/api/auth/${path}`;
    const answer = await service.fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return (await answer.json()) as unknown;
  };
  const kdf = { kdf: 'pbkdf2-sha256', iterations: 600_000 };
  const told = (await post('prelogin', { email })) as KdfParameters;
  const own = await derivePasswordKeys(password, { ...told, ...kdf });
  const recovery = await deriveRecoveryKeys(phrase);
  const key = await generateDataKey('account');
  const wrap = await wrapDataKey(key, own.wrappingKey, { purpose: 'password' });
  const recoveryWrap = await wrapDataKey(key, recovery.wrappingKey, { purpose: 'recovery' });
  await post('register', {
    email,
    password: own.authSecret,
    wrapped_dek: wrap.wrapped,
    wrapped_dek_iv: wrap.iv,
    recovery_wrapped_dek: recoveryWrap.wrapped,
    recovery_wrapped_dek_iv: recoveryWrap.iv,
    recovery_proof: recovery.recoveryProof,
  });
  service.accounts.get(email)!.kdf = kdf;
}
