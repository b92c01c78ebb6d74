import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { needAllTexts, t } from '../../../i18n/i18n';
import { questions } from '../model/questions';
import { Note } from '../../../ui/screen';

const list = signal<ComponentType | undefined>(undefined);

const Failed = () => <Note look="error">{t('common.error.chunk')}</Note>;

/** Loads the list with the first question: most visits have none. */
async function loadList(): Promise<void> {
  const [loaded] = await Promise.all([import('./question-list'), needAllTexts()]).catch(() => []);
  list.value = loaded?.QuestionList ?? Failed;
}

/** What two devices have entered differently, above every screen. */
export function Questions() {
  const isAsked = questions.value.length > 0;
  useEffect(() => {
    if (isAsked && (!list.value || list.value === Failed)) void loadList();
  }, [isAsked]);
  const List = list.value;
  return isAsked && List ? <List /> : null;
}
