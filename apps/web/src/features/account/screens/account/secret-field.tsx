import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { CheckField, TextField, type TextFieldProps } from '../../../../ui/field';

export interface SecretFieldProps extends Pick<TextFieldProps, 'label' | 'value' | 'onValue' | 'error'> {
  autocomplete?: 'current-password' | 'new-password';
  hint?: string;
  /** Follows whether the password can be read. */
  onShown?: (shown: boolean) => void;
  children?: ComponentChildren;
}

/** A password, hidden unless the person wants to see it. */
export function SecretField({
  onShown,
  children,
  autocomplete = 'current-password',
  ...field
}: SecretFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <div class="stack">
      <TextField
        type={shown ? 'text' : 'password'}
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        {...field}
      />
      {children}
      <CheckField
        label={t('account.showSecret')}
        checked={shown}
        onValue={(next) => {
          setShown(next);
          onShown?.(next);
        }}
      />
    </div>
  );
}
