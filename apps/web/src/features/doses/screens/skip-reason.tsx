import type { Dose } from '@app/client';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { sentenceOf } from '../../../platform/model/failure';
import type { Medicine } from '@app/client/documents';
import { explainSkip } from '../../medications/model/medicines';
import { nameWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { Form, useAct } from '../../../ui/form';
import { Note } from '../../../ui/screen';

/** The skipped dose for which the person gives a reason. */
export const skipToExplain = signal<{ medicine: Medicine; dose: Dose } | undefined>(undefined);

const REASONS = ['unwell', 'sideEffects', 'none', 'forgotten', 'told'] as const;

/** Why a dose was skipped: one press, or words of one's own. It is encrypted with the medicine. */
export function SkipReasonDialog() {
  const asked = skipToExplain.value;
  return asked ? <Asking key={asked.dose.id} {...asked} /> : null;
}

function Asking({ medicine, dose }: { medicine: Medicine; dose: Dose }) {
  const [words, setWords] = useState('');
  const act = useAct(sentenceOf);
  const close = () => (skipToExplain.value = undefined);
  const save = (reason: string) =>
    void act.run(async () => {
      await explainSkip(medicine.id, dose.id, reason);
      close();
    });
  return (
    <Dialog title={t('today.whyTitle', { name: nameWords(medicine) })} onClose={close}>
      <div class="choices">
        {REASONS.map((reason) => (
          <Button key={reason} onClick={() => save(t(`today.why.${reason}`))}>
            {t(`today.why.${reason}`)}
          </Button>
        ))}
      </div>
      <Form onSubmit={() => (words.trim() ? save(words.trim()) : close())}>
        <TextField
          label={t('today.whyOther')}
          note={t('common.optional')}
          maxLength={200}
          value={words}
          onValue={setWords}
        />
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)} {t('common.state.kept')}
          </Note>
        )}
        <div class="row">
          <Button onClick={close}>{t('common.action.cancel')}</Button>
          <Button type="submit" look="primary" busy={act.busy}>
            {t('common.action.save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
