import { hasText, t } from '../../../i18n/i18n';
import { sentenceOf } from '../../../platform/model/failure';
import { fileProblemOf } from '../model/incoming-file';

/** What is wrong with a file, or with the page. */
export function problemText(error: unknown): string {
  const code = fileProblemOf(error);
  const key = `transfer.fileProblem.${code}`;
  return code !== undefined && hasText(key) ? t(key) : sentenceOf(error);
}
