import type { NameIndex, SpellingMatch } from './name-index';

/**
 * Makers that build a brand from the beginning of the generic name and their own name: "Simvahexal",
 * "Ramidura".
 */
const MAKER = /^(.{4,})(?:hexal|dura|gamma|lich|beta|doc|stada|ratio|merck|puren|kind|sandoz|acis|basics)$/;

const CONFIDENCE = 0.6;

/** The only generic name that begins like such a brand, or `undefined`. */
export function findByMaker(key: string, index: NameIndex): SpellingMatch | undefined {
  const target = index.findByBeginning(MAKER.exec(key)?.[1]);
  return target && { target, confidence: CONFIDENCE, others: [] };
}
