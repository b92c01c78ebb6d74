import { severityRank, type PairVerdict } from './rules/pair-rules';
import type { CompiledRule, InteractionResult, NameMatch } from './types';

const MAX_RESULTS_OF_A_PAIR = 10;

/**
 * Collects the results of one request. The same two ingredients in more than ten pairs of names (a list that repeats one drug under
 * many names) are reported in one result for all further names: nothing is dropped, and the answer does not grow with the square
 * of the list.
 */
export class Findings {
  private readonly list: InteractionResult[] = [];
  private readonly counts = new Map<
    string,
    { count: number; last: InteractionResult; inputs: Set<string> }
  >();
  private readonly verdicts = new Map<string, PairVerdict<CompiledRule> | undefined>();

  /** Adds a result. */
  push(result: InteractionResult): void {
    this.list.push(result);
  }

  /** Adds a result about a pair, or only its matches when there are many of the same; `make` is called only for a new result. */
  addPair(key: string, matches: readonly NameMatch[], make: () => InteractionResult): void {
    const known = this.counts.get(key);
    if (!known || known.count < MAX_RESULTS_OF_A_PAIR) {
      const last = make();
      this.list.push(last);
      this.counts.set(key, { count: (known?.count ?? 0) + 1, last, inputs: new Set(last.medications) });
      return;
    }
    for (const match of matches) {
      if (known.inputs.has(match.input)) continue;
      known.inputs.add(match.input);
      known.last.matches.push(match);
      known.last.medications.push(match.input);
    }
  }

  /** The verdict on a pair, found once in a request. */
  verdict(
    key: string,
    find: () => PairVerdict<CompiledRule> | undefined,
  ): PairVerdict<CompiledRule> | undefined {
    if (!this.verdicts.has(key)) this.verdicts.set(key, find());
    return this.verdicts.get(key);
  }

  /** Most severe first, then by the names as sent; the rest makes the order total, so that it never depends on the input's order. */
  sorted(): InteractionResult[] {
    const keyed = this.list.map((result) => ({
      result,
      rank: severityRank(result.severity),
      name: result.medications.join('\u0000').toLowerCase(),
      rest: [result.kind, result.rule_id, ...result.ingredients, ...result.medications].join('\u0000'),
    }));
    keyed.sort((x, y) => x.rank - y.rank || compare(x.name, y.name) || compare(x.rest, y.rest));
    return keyed.map(({ result }) => result);
  }
}

function compare(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
