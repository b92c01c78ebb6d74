import type { NameReading, ReadIngredient } from './names/read-name';
import type { CompiledRescue } from './compiled-base';
import type { Locality } from './rules/pair-rules';

/** One ingredient of one product, as the rules see it. */
export interface Item {
  reading: NameReading;
  part: ReadIngredient;
  locality: Locality;
  /** Only of a medicine that is kept for an emergency of a person. */
  rescue?: CompiledRescue;
}

/** One product: the name as sent, and its ingredients. */
export interface Product {
  reading: NameReading;
  items: Item[];
  /** How often exactly this name was sent. */
  count: number;
}
