/**
 * "1.000 mg": a thousand in much of Europe, one elsewhere. "3.125 mg" and "0.100 mg" are clear: nobody writes
 * a thousand like that.
 */
const THOUSAND_OR_ONE = /(?<![\d.,])[1-9]\d{0,2}\.\d\d0(?![\d.,]*\d)/;
/** "5e3 mg". */
const SCIENTIFIC = /\d\s*e\s*[-+]?\d/;
/** "every 20 minutes", "every other hour", "every 0 hours": intervals that the parser does not know. */
const OTHER_INTERVAL =
  /\b(?:every|each|alle|q)\s*(?:(?:\d+(?:[.,]\d+)?\s*(?:-|to|bis)\s*)?\d+(?:[.,]\d+)?\s*-?\s*min(?:s|ute[ns]?)?\b|min(?:ute)?\b|(?:other|second|third)\s+hour|0+(?:[.,]0+)?\s*(?:h|d|w))/;
/** Twice in a week or once in two. */
const TWO_MEANINGS = /\b(?:bi-?weekly|bi-?monthly|zweiwochentlich|bimensual)\b/;

/**
 * Whether a folded dosage holds something that the parser would skip or read wrongly, so that the rest of the
 * text would give a dose that is too low.
 */
export function isUnreadable(folded: string): boolean {
  return (
    THOUSAND_OR_ONE.test(folded) ||
    SCIENTIFIC.test(folded) ||
    OTHER_INTERVAL.test(folded) ||
    TWO_MEANINGS.test(folded)
  );
}
