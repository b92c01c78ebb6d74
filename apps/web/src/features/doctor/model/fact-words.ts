import { ALLERGY_CODES, CONDITION_CODES, type HealthFact } from '@app/client/documents';
import type { Texts } from '../../../i18n/measure-words';

const KNOWN: readonly string[] = [...ALLERGY_CODES, ...CONDITION_CODES];

/** An allergy or an illness in words. What was ticked has a name in each language; what was typed stays as it is. */
export function factWords({ code, text: typed }: HealthFact, text: Texts): string {
  return code && KNOWN.includes(code) ? text(`profiles.fact.${code}` as never) : typed;
}
