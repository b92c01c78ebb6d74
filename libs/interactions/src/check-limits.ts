import { TOO_MANY_INGREDIENTS } from './built-in-statements';
import type { Product } from './product';
import type { ResultFactory } from './result-factory';
import type { InteractionResult } from './types';

/**
 * The most ingredients of all names of one check together. The work grows with the square. A hundred medicines
 * of two ingredients each are within it.
 */
const MAX_INGREDIENTS = 200;

/**
 * The products that one check compares, in the given order, and a result for each product that it leaves out:
 * nothing is left out in silence. Products with few ingredients come first, so that a long list of ordinary
 * names is checked. The order of the products has no effect on who is left out if they are sorted by name.
 */
export function withinLimits(
  products: readonly Product[],
  factory: ResultFactory,
): { checked: Product[]; left: InteractionResult[] } {
  const checked = new Set<Product>();
  let ingredients = 0;
  for (const product of [...products].sort((x, y) => x.items.length - y.items.length)) {
    ingredients += product.items.length;
    if (ingredients > MAX_INGREDIENTS) break;
    checked.add(product);
  }
  return {
    checked: products.filter((product) => checked.has(product)),
    left: products
      .filter((product) => !checked.has(product))
      .map(({ reading: { input } }) => ({
        ...factory.make('unrecognized', TOO_MANY_INGREDIENTS, [], []),
        medications: [input],
      })),
  };
}
