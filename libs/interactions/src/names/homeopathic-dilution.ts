/** A potency on homeopathic remedies: D6, C30, 30CH, LM6. D3 is a vitamin, and 3x is a count. */
const POTENCY =
  /(?<![\p{L}\p{N}])(?:d(?:[4-9]|[1-9]\d|[12]\d\d)|ch?(?:[2-9]|[1-9]\d{1,3})|lm ?\d{1,3}|(?:[4-9]|[1-9]\d{1,3}) ?(?:ch|dh|c)|(?:6|12|30|60|200)x)(?![\p{L}\p{N}])/u;
const WORDS = /\b(?:homoeopathic|homeopathic|homoopathisch|homeopathique|homeopatico|globuli|globules)\b/;
const VITAMIN = /\bvit(?:amin)?s?\b|\b(?:degrees?|celsius)\b/;

/** True for a homeopathic remedy whose dilution is too high for an effect of its substance. */
export function isDilution(folded: string): boolean {
  return WORDS.test(folded) || (POTENCY.test(folded) && !VITAMIN.test(folded));
}
