import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { strengthOf, type Strength } from '../../model/strength';
import { CheckField, TextField } from '../../ui/field';
import { useEffect } from 'preact/hooks';

export interface SecretFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  error?: string | undefined;
  /** A secret that is chosen now: shows how strong it is. */
  isNew?: boolean;
  least?: number;
}

/** A secret, hidden unless the person wants to see it. */
export function SecretField({ label, value, onValue, error, isNew = false, least = 0 }: SecretFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <div class="stack">
      <TextField
        label={label}
        type={shown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        autocapitalize="none"
        spellcheck={false}
        value={value}
        onValue={onValue}
        error={error}
        hint={isNew ? t('account.secretHint', { least }) : undefined}
      />
      {isNew && value !== '' && <StrengthMeter secret={value} />}
      <CheckField label={t('account.showSecret')} checked={shown} onValue={setShown} />
    </div>
  );
}

const LEVEL: Record<Strength, number> = { tooShort: 0, weak: 1, fair: 2, good: 3, strong: 4 };

function StrengthMeter({ secret }: { secret: string }) {
  const [strength, setStrength] = useState<Strength>('tooShort');
  useEffect(() => {
    let isNewest = true;
    void strengthOf(secret).then((found) => isNewest && setStrength(found));
    return () => {
      isNewest = false;
    };
  }, [secret]);
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
