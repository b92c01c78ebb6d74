import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { changeMember } from '../../../profiles/model/family';
import { type FamilyMember, toAskOf } from '@app/client/documents';
import { Button } from '../../../../ui/button';
import { TextArea } from '../../../../ui/field';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';

/** Questions for the next visit, one on each line. */
export function Questions({ member }: { member: FamilyMember }) {
  const kept = toAskOf(member.details).join('\n');
  const [typed, setTyped] = useState(kept);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const save = async () => {
    const questions = typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    setBusy(true);
    setFailure(undefined);
    try {
      await changeMember(member, { details: { questions } });
      setTyped(questions.join('\n'));
      toast({ text: t('doctor.questionsSaved') });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack">
      <TextArea
        label={t('doctor.questions')}
        hint={t('doctor.questionsHint')}
        note={t('common.optional')}
        value={typed}
        onValue={setTyped}
      />
      {failure !== undefined && (
        <Note look="error">
          {sentenceOf(failure)} {t('common.state.kept')}
        </Note>
      )}
      {typed !== kept && (
        <div>
          <Button busy={busy} onClick={() => void save()}>
            {t('doctor.questionsSave')}
          </Button>
        </div>
      )}
    </div>
  );
}
