import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/i18n';
import { sentenceOf } from '../model/failure';
import type { Draft } from '../model/use-draft';
import { Button } from '../../ui/button';
import { Note } from '../../ui/screen';
import { toast } from '../../ui/toast';

type Kept = Pick<Draft<object>, 'forget'>;

/** Forgets what was typed, with a way back. @param again leads to the form */
export function forgetWithUndo(draft: Kept, again: () => void): void {
  const putBack = draft.forget();
  if (!putBack) return;
  toast({
    text: t('common.state.draftDropped'),
    action: {
      label: t('common.action.undo'),
      run: () => void putBack().then(again, (error: unknown) => toast({ text: sentenceOf(error) })),
    },
  });
}

export interface DraftedProps {
  draft: Pick<Draft<object>, 'kept' | 'goOn' | 'forget' | 'failure'>;
  /** What was begun, by its name, and for whom. */
  what: string;
  who?: string | undefined;
  children: ComponentChildren;
}

/** A form that keeps what is typed. What was begun earlier is named first, and comes back by choice only. */
export function Drafted({ draft, what, who, children }: DraftedProps) {
  if (draft.kept)
    return (
      <Note>
        <div class="stack" role="status">
          <strong>
            {t('common.state.begun', { what: who ? t('common.state.whatFor', { what, who }) : what })}
          </strong>
          <div class="row">
            <Button look="primary" onClick={draft.goOn}>
              {t('common.action.goOn')}
            </Button>
            <Button onClick={() => forgetWithUndo(draft, () => undefined)}>
              {t('common.action.startNew')}
            </Button>
          </div>
        </div>
      </Note>
    );
  return (
    <>
      {draft.failure !== undefined && (
        <Note look="warn">
          {sentenceOf(draft.failure)} {t('common.state.notKept')}
        </Note>
      )}
      {children}
    </>
  );
}
