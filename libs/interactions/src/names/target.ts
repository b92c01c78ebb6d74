import type { LocalRoute, MatchMethod } from '../types';

/** The meaning of a name in some countries. */
export interface Meaning {
  ingredients: readonly number[];
  countries: readonly string[];
}

/** The meaning of a name: one ingredient, or the ingredients of a combination, as positions in the base. */
export interface Target {
  /** For several meanings: the ingredients of all of them. */
  ingredients: readonly number[];
  method: MatchMethod;
  /** The name as the base writes it. */
  display: string;
  /** Where the product acts, when the name itself implies it. */
  route?: LocalRoute;
  /** Only for a name with different meanings in different countries. */
  meanings?: readonly Meaning[];
  /** The only country that is known to use the name; others may use it for another medicine. */
  onlyIn?: string;
  /** The product contains something that the base does not know. */
  partial?: true;
  /**
   * From a national register. It is only read at the beginning of a name, since some country has brands such
   * as "Relief".
   */
  registered?: true;
}
