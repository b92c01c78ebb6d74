/**
 * International units in a milligram, for vitamins whose labels use either unit.
 * Source: NIH Office of Dietary Supplements, fact sheets on vitamins A, D and E.
 */
const IU_PER_MG: ReadonlyMap<string, number> = new Map([
  ['colecalciferol', 40_000],
  ['vitamin d', 40_000],
  ['ergocalciferol', 40_000],
  ['vitamin a', 3_333],
  ['retinol', 3_333],
  ['vitamin e', 1.49],
]);

/**
 * The number of international units in a milligram of an ingredient; `undefined` when it has no such unit.
 */
export function iuPerMilligram(inn: string): number | undefined {
  return IU_PER_MG.get(inn);
}
