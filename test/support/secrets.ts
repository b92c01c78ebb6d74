import { aCiphertext } from './factories';

/** The new secret of change-password, PUT users/me and reset-password. */
export function aNewSecret() {
  return {
    new_password: aCiphertext(32),
    new_wrapped_dek: aCiphertext(),
    new_wrapped_dek_iv: aCiphertext(12),
  };
}
