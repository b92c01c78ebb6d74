import { useId, useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { smallPicture } from '../model/picture';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';

export interface PictureFieldProps {
  name: string;
  isPet: boolean;
  /** Empty where there is none. */
  picture: string;
  onPicture: (picture: string) => void;
}

export function PictureField({ name, isPet, picture, onPicture }: PictureFieldProps) {
  const id = useId();
  const [failed, setFailed] = useState(false);
  const choose = (file: File | undefined) => {
    if (!file) return;
    setFailed(false);
    smallPicture(file).then(onPicture, () => setFailed(true));
  };
  return (
    <div class="row">
      <Avatar name={name} picture={picture || undefined} isPet={isPet} size="large" />
      <div class="field">
        <label for={id}>{t('profiles.picture')}</label>
        <input
          id={id}
          type="file"
          accept="image/*"
          aria-describedby={`${id}-hint`}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
        <div id={`${id}-hint`} class="field-hint">
          {t('profiles.pictureHint')}
        </div>
        {failed && (
          <div class="field-error" role="alert">
            {t('profiles.pictureFailed')}
          </div>
        )}
      </div>
      {picture && <Button onClick={() => onPicture('')}>{t('profiles.removePicture')}</Button>}
    </div>
  );
}
