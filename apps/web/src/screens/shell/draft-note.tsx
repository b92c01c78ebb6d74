import { t } from '../../i18n/i18n';
import { sentenceOf } from '../../model/failure';
import type { Draft } from '../../model/use-draft';
import { Note } from '../../ui/screen';

/** Whether the form was filled in an earlier visit, or is kept by nobody. */
export function DraftNote({ draft }: { draft: Pick<Draft<object>, 'isRestored' | 'failure'> }) {
  return (
    <>
      {draft.isRestored && <Note>{t('common.state.draft')}</Note>}
      {draft.failure !== undefined && (
        <Note look="warn">
          {sentenceOf(draft.failure)} {t('common.state.notKept')}
        </Note>
      )}
    </>
  );
}
