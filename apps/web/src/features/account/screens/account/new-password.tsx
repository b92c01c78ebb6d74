import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import {
  isAccepted,
  LEAST_SECRET_LENGTH,
  quickStrengthOf,
  strengthOf,
  type Strength,
} from '../../model/strength';
import { TextField } from '../../../../ui/field';
import { SecretField } from './secret-field';

/** A password that is chosen now: strong enough, and either read on the screen or typed twice. */
export interface NewPassword {
  value: string;
  email: string;
  again: string;
  isShown: boolean;
  strength: Strength | undefined;
  change: (changes: Partial<Pick<NewPassword, 'value' | 'again' | 'isShown'>>) => void;
  /** Whether it can be used. The fields then say what is wrong. */
  check: () => Promise<boolean>;
  clear: () => void;
}

const EMPTY = { value: '', again: '', isShown: false };

/** @param email of the account: a password that repeats it is weak */
export function useNewPassword(email: string): NewPassword {
  const [typed, setTyped] = useState(EMPTY);
  const [strength, setStrength] = useState<Strength | undefined>(undefined);
  return {
    ...typed,
    email,
    strength,
    change: (changes) => {
      setStrength(undefined);
      setTyped((before) => ({ ...before, ...changes }));
    },
    check: async () => {
      const found = await strengthOf(typed.value, email);
      setStrength(found);
      return isAccepted(found) && (typed.isShown || typed.again === typed.value);
    },
    clear: () => {
      setStrength(undefined);
      setTyped(EMPTY);
    },
  };
}

export function NewPasswordField({ label, password }: { label: string; password: NewPassword }) {
  const { value, again, isShown, strength, change } = password;
  const isWeak = strength !== undefined && !isAccepted(strength);
  return (
    <>
      <SecretField
        label={label}
        autocomplete="new-password"
        hint={t('account.secretHint', { least: LEAST_SECRET_LENGTH })}
        value={value}
        onValue={(typed) => change({ value: typed })}
        onShown={(shown) => change({ isShown: shown })}
        error={isWeak ? t(strength === 'tooShort' ? TOO_SHORT : 'common.error.secret_weak') : undefined}
      >
        {value !== '' && <StrengthMeter password={password} />}
      </SecretField>
      {!isShown && (
        <TextField
          label={t('account.again')}
          type="password"
          autocomplete="new-password"
          value={again}
          onValue={(typed) => change({ again: typed })}
          error={strength && !isWeak && again !== value ? t('account.differs') : undefined}
        />
      )}
    </>
  );
}

/** Who has stopped typing for so long has typed the whole password. */
const PAUSE_MS = 800;
const TOO_SHORT = 'account.strength.tooShort';
const LEVEL: Record<Strength, number> = { tooShort: 0, weak: 1, fair: 2, good: 3, strong: 4 };

function StrengthMeter({ password: { value, email } }: { password: NewPassword }) {
  const [strength, setStrength] = useState<Strength>('tooShort');
  useEffect(() => {
    let isNewest = true;
    let pause: number | undefined;
    const show = (found: Strength) => isNewest && setStrength(found);
    void quickStrengthOf(value, email).then(({ strength: found, isDoubtful }) => {
      show(found);
      if (!isNewest || !isDoubtful) return;
      pause = window.setTimeout(() => void strengthOf(value, email).then(show), PAUSE_MS);
    });
    return () => {
      isNewest = false;
      window.clearTimeout(pause);
    };
  }, [value, email]);
  const words = t(`account.strength.${strength}`);
  return (
    <div class="strength">
      <meter
        min={0}
        max={4}
        low={1.5}
        high={2.5}
        optimum={4}
        value={LEVEL[strength]}
        aria-label={t('account.strength.label')}
      />
      <span role="status">
        {t('account.strength.label')}: {words}
      </span>
    </div>
  );
}
