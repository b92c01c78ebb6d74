import { fold } from '../../names/fold';
import { SALT_WORDS } from '../../names/vocabulary';
import { PHRASES, WORDS } from './ingredient-translations';

/**
 * Salts, hydrates and grades in Latin, French, Portuguese and Italian that the engine does not need to read.
 */
const SALTS =
  /^(?:(?:hemi|semi|mono|di|tri|tetra|penta|hepta|sesqui|hydro|hydrogeno|dihydrogeno|para)*(?:chlorid|bromid|iodid|fluorid|oxid)(?:um|i)|(?:di)?(?:chlor|brom)hydrate|(?:di)?clori?drato|bromidrato|(?:hemi|mono|di|tri|tetra|penta|hepta|sesqui)?-?(?:hydrat\w*|idrat\w*|hidrat\w*)|anhydr\w*|anidr\w*|micronis\w*|microniz\w*|micronizad\w*|basic\w*|base|[a-z]{3,}(?:as|atum)|[a-z]*(?:hydric|hydrat)(?:um|us|i)|argininum|arginina|arginine|dietilamonio|bissulfato|zincica|acetonid[aeo]|disoproxil\w*|axetil\w*|trometam\w*|tromet\w*|natric\w*|proxetil\w*|medoxomil\w*|bp|usp|ep|jp|ip|nf|ph|eur|eqv|equivalent|equiv|eq|to|as|sodique|dissodic[ao]|monossodic[ao]|sodic[ao]|potassic[ao]|calcic[ao]|calcique|potassique|magnesique|natric\w*|calcic\w*|kalic\w*|sodium|disodium|dissodium|monosodium|potassium|natrii|dinatrii|kalii|calcii|magnesii|besilato|hemifumarato|(?:bi|di|mono|hemi|hidrogeno|hydrogeno)?(?:sulfat|sulfit|fosfat|phosphat|maleat|fumarat|tartarat|tartrat|succinat|mesilat|besilat|acetat|citrat|nitrat|oxalat|tosilat|lactat|gluconat|propionat|dipropionat|valerat|furoat|palmitat|benzoat|decanoat|enantat|pamoat|stearat|malat|estolat|glutamat|aspartat|camsilat|esilat|isetionat|embonat|edisilat)[oe])$/;
const JOINERS = new Set(['de', 'd', 'di', 'da', 'do', 'del', 'of', 'in', 'form', 'forme']);

/** Other texts for the same ingredient. The caller uses the first one that the base knows. */
export function candidatesOf(text: string): string[] {
  const folded = fold(text.replace(/[’']/g, ' '))
    .replace(/\[[^\]]*\]?/g, ' ')
    .replace(/\d+(?:[.,]\d+)?\s*(?:mg|mcg|g|ml|iu|ui|%|mm|unit\w*)\b\/?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const outer = folded.replace(/\([^)]*\)?/g, ' ').trim();
  const inner = [...folded.matchAll(/\(([^)]*)\)/g)].map(([, part]) => part);
  const parts = [
    outer,
    ...outer.split(/\b(?:eqv|equivalent|equiv|eq)\b/),
    ...inner,
    ...inner.map((part) => `${part} ${outer}`),
  ];
  const found = parts.flatMap((part) => {
    const words = part.split(/[^\p{L}\p{N}-]+/u).filter((word) => word !== '' && !JOINERS.has(word));
    const bare = words.filter((word) => !SALTS.test(word) && !SALT_WORDS.has(word));
    const lists = [words, nominative(words), bare, nominative(bare)];
    const phrase = PHRASES.get(words.join(' '));
    return [
      ...(phrase ? [phrase] : []),
      ...lists.map((list) => list.join(' ')),
      ...lists.map((list) => list.map((word) => WORDS.get(word) ?? word).join(' ')),
      ...lists.flatMap((list) => acidOf(list) ?? []),
    ];
  });
  return [...new Set(found)].filter((candidate) => candidate.length > 2);
}

/** Converts "acidum zoledronicum" and "acide zoledronique" to zoledronic acid. */
function acidOf(words: readonly string[]): string | undefined {
  const rest = words.filter((word) => !/^acid[eoi]?(?:um)?$/.test(word));
  if (rest.length !== 1 || rest.length === words.length) return undefined;
  const stem = (WORDS.get(rest[0]) ?? rest[0]).replace(/(?:icum|ici|ique|ico|ic)$/, '');
  return `${stem}ic acid`;
}

/** Converts Latin genitives: "bisoprololi" to "bisoprololum", "metformini" to "metforminum". */
function nominative(words: readonly string[]): string[] {
  return words.map((word) => (/[^aeiou]i$/.test(word) ? `${word.slice(0, -1)}um` : word));
}
