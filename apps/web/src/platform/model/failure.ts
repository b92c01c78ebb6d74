import { HealthRecordsError } from '@app/client';
import { hasText, t } from '../../i18n/i18n';

/** The code of an error; `other` for what the page does not know. */
export function codeOf(error: unknown): string {
  if (error instanceof HealthRecordsError) return error.code;
  if (error instanceof TypeError && /import|module|chunk/i.test(error.message)) return 'chunk';
  return error instanceof Error ? error.name : 'other';
}

/** Whether the storage of this device has refused: it has nothing to do with the service. */
export const isOfDevice = (code: string): boolean => ['device_full', 'device_storage_failed'].includes(code);

/** A sentence for a person. Security: never the message of the error, which is for developers. */
export function sentenceOf(error: unknown): string {
  return codeSentence(codeOf(error));
}

/** As {@link sentenceOf}, for a code. */
export function codeSentence(code: string): string {
  // The errors of shared profiles are in the texts that come later.
  const key = [`common.error.${code}`, `people.error.${code}`].find(hasText);
  return key ? t(key) : t('common.error.other', { code });
}
