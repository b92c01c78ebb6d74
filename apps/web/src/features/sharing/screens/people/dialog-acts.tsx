import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { Button, type ButtonProps } from '../../../../ui/button';
import type { Act } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';

export interface DialogActsProps {
  act: Act;
  /** What the button says; absent until all is chosen. */
  go: string | undefined;
  look?: ButtonProps['look'];
  onGo: () => void;
  onClose: () => void;
}

/** The end of a dialog: what has gone wrong, the way back, and the act. */
export function DialogActs({ act, go, look = 'primary', onGo, onClose }: DialogActsProps) {
  return (
    <>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
        {go && (
          <Button look={look} busy={act.busy} onClick={onGo}>
            {go}
          </Button>
        )}
      </div>
    </>
  );
}
