import { t } from '../../../../i18n/i18n';
import { TextField } from '../../../../ui/field';

interface OwnNameProps {
  name: string;
  onName: (name: string) => void;
  /** Whether the form was sent once: what is missing is said from then on. */
  tried: boolean;
}

/** What the others of a shared record read under the entries of this person. */
export function OwnName({ name, onName, tried }: OwnNameProps) {
  return (
    <TextField
      label={t('people.begin.ownName')}
      hint={t('people.begin.ownNameHint')}
      autocomplete="given-name"
      maxLength={100}
      value={name}
      onValue={onName}
      error={tried && name.trim() === '' ? t('common.required') : undefined}
    />
  );
}
