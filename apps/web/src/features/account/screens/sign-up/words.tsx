import { Printer } from 'lucide-preact';
import type { ComponentChildren, ComponentType } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { formatDay } from '../../../../platform/model/dates';
import { language } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { Button } from '../../../../ui/button';
import { TextField } from '../../../../ui/field';
import { Form } from '../../../../ui/form';
import type { ScreenProps } from '../../../../ui/screen';
import { AccountFrame } from '../account/frame';

interface Framed {
  /** Around the words: before the sign-in, or inside of the page. */
  frame?: ComponentType<Omit<ScreenProps, 'action'>>;
}

export interface ShowWordsProps extends Framed {
  email: string;
  phrase: string;
  onDone: () => void;
}

export function ShowWords({ email, phrase, onDone, frame: Frame = AccountFrame }: ShowWordsProps) {
  return (
    <Frame title={t('account.words.title')} key="words">
      <p class="no-print">{t('account.words.text')}</p>
      <div class="print-only">
        <h2>{t('account.words.sheetTitle')}</h2>
        <p>{t('account.words.sheetText', { email })}</p>
        <p>{formatDay(today.value, language.value)}</p>
      </div>
      <ol class="words" translate={false}>
        {phrase.split(' ').map((word, at) => (
          <li key={at}>
            <span class="position">{at + 1}.</span>
            <span>{word}</span>
          </li>
        ))}
      </ol>
      <div class="actions no-print">
        <Button icon={Printer} onClick={() => window.print()}>
          {t('common.action.print')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t('account.words.done')}
        </Button>
      </div>
    </Frame>
  );
}

/** Three places of the twelve, in order. */
function threePlaces(): number[] {
  const random = crypto.getRandomValues(new Uint32Array(12));
  return [...random.keys()]
    .sort((a, b) => random[a] - random[b])
    .slice(0, 3)
    .sort((a, b) => a - b);
}

export interface CheckWordsProps extends Framed {
  phrase: string;
  /** What the right words do. */
  go: string;
  busy: boolean;
  onRight: () => void;
  onAgain: () => void;
  children: ComponentChildren;
}

export function CheckWords({
  phrase,
  go: label,
  busy,
  onRight,
  onAgain,
  children,
  frame: Frame = AccountFrame,
}: CheckWordsProps) {
  const words = phrase.split(' ');
  const places = useMemo(threePlaces, []);
  const [typed, setTyped] = useState<Record<number, string>>({});
  const [tried, setTried] = useState(false);
  const isRight = (place: number) => (typed[place] ?? '').trim().toLowerCase() === words[place];
  const go = () => {
    setTried(true);
    if (places.every(isRight)) onRight();
  };
  return (
    <Frame title={t('account.words.check')} key="check">
      <p>{t('account.words.checkText')}</p>
      <Form onSubmit={go}>
        {places.map((place) => (
          <TextField
            key={place}
            label={t('account.words.word', { position: place + 1 })}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={typed[place] ?? ''}
            onValue={(word) => setTyped({ ...typed, [place]: word })}
            error={tried && !isRight(place) ? t('account.words.wrong', { position: place + 1 }) : undefined}
          />
        ))}
        <div class="actions">
          <Button onClick={onAgain}>{t('account.words.again')}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {label}
          </Button>
        </div>
        {children}
      </Form>
    </Frame>
  );
}
