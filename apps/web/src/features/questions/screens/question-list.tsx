import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import { subjectWords, wordsOf } from '../model/question-words';
import { answerQuestion, type Asked, questions } from '../model/questions';
import { whenWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { useAct } from '../../../ui/form';
import { Note } from '../../../ui/screen';

/** What two devices have entered differently. Nothing was mixed: the later version stands until one is chosen. */
export function QuestionList() {
  return (
    <div class="questions">
      {questions.value.map((asked) => (
        <Question key={asked.key} asked={asked} />
      ))}
    </div>
  );
}

function Question({ asked }: { asked: Asked }) {
  const act = useAct(sentenceOf);
  const { question } = asked;
  const when = (at: string | null) =>
    at ? whenWords(new Date(at), today.value) : t('more.questions.unknownTime');
  const sides = (['other', 'standing'] as const).map((side) => ({
    side,
    words: wordsOf(asked, side, today.value),
    at: when(side === 'other' ? question.otherAt : question.standingAt),
  }));
  return (
    <Note look="warn">
      <div class="stack">
        <p>
          <strong>{subjectWords(asked)}: </strong>
          {t('more.questions.two')}
        </p>
        <p>{t('more.questions.which')}</p>
        {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
        <div class="row">
          {sides.map(({ side, words, at }) => (
            <Button
              key={side}
              busy={act.busy}
              onClick={() => void act.run(() => answerQuestion(asked, side))}
            >
              {t('more.questions.side', { words, when: at })}
            </Button>
          ))}
        </div>
      </div>
    </Note>
  );
}
