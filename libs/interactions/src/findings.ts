import { foldFindings } from './fold-findings';
import { severityRank, type PairVerdict } from './rules/pair-rules';
import type { CompiledRule } from './compiled-base';
import type { Action, InteractionResult, NameMatch } from './types';

const MAX_RESULTS_OF_A_PAIR = 10;
/** About 2 MB of JSON. A hundred different drugs that people take together give fewer. */
const MAX_SINGLE_RESULTS = 1500;

interface Merged {
  count: number;
  last: InteractionResult;
  inputs: Set<string>;
}

/**
 * Collects the results of one request and limits their number. If a list repeats one drug under many names,
 * the same two ingredients occur in many pairs of names: from the eleventh pair on, one result reports them
 * all. Above 1500 results, one result reports the further pairs of a rule. Nothing is dropped: every name is
 * in a result.
 */
export class Findings {
  private readonly list: InteractionResult[] = [];
  private readonly byPair = new Map<string, Merged>();
  private readonly byRule = new Map<string, Merged>();
  private readonly verdicts = new Map<number, PairVerdict<CompiledRule> | undefined>();

  /** Adds a result. */
  push(result: InteractionResult): void {
    this.list.push(result);
  }

  /** The results so far. */
  soFar(): readonly InteractionResult[] {
    return this.list;
  }

  /**
   * Adds a result about a pair of one rule, or only its matches when there are many. Calls `make` only for a
   * new result.
   */
  addPair(
    rule: string,
    ingredients: readonly number[],
    matches: readonly NameMatch[],
    make: () => InteractionResult,
  ): void {
    const crowded = this.list.length >= MAX_SINGLE_RESULTS;
    const [merged, key, most] = crowded
      ? [this.byRule, rule, 1]
      : [this.byPair, `${rule} ${ingredients.join(' ')}`, MAX_RESULTS_OF_A_PAIR];
    const known = merged.get(key);
    if (!known || known.count < most) {
      const last = make();
      this.list.push(last);
      merged.set(key, { count: (known?.count ?? 0) + 1, last, inputs: new Set(last.medications) });
      return;
    }
    const { last, inputs } = known;
    for (const match of matches) {
      if (inputs.has(match.input)) continue;
      inputs.add(match.input);
      last.matches.push(match);
      last.medications.push(match.input);
      if (!last.ingredients.includes(match.ingredient)) last.ingredients.push(match.ingredient);
    }
  }

  /** The verdict on a pair, computed once per request. */
  verdict(
    key: number,
    find: () => PairVerdict<CompiledRule> | undefined,
  ): PairVerdict<CompiledRule> | undefined {
    const known = this.verdicts.get(key);
    if (known || this.verdicts.has(key)) return known;
    const found = find();
    this.verdicts.set(key, found);
    return found;
  }

  /**
   * Each mechanism once, most severe first, then what asks for a change before what asks to watch, then by the names as sent.
   * The other keys make the order total, so that it never depends on the input order.
   */
  sorted(): InteractionResult[] {
    const folded = foldFindings(this.list);
    const keyed = folded.map((result) => ({
      result,
      rank: severityRank(result.severity) + urgencyOf(result, folded),
      name: result.medications.join('\u0000').toLowerCase(),
      rest: [
        result.kind,
        result.rule_id,
        result.fact ?? '',
        ...result.ingredients,
        ...result.medications,
      ].join('\u0000'),
    }));
    keyed.sort((x, y) => x.rank - y.rank || compare(x.name, y.name) || compare(x.rest, y.rest));
    return keyed.map(({ result }) => result);
  }
}

/** What to do today comes first. */
const URGENCY: Record<Action, number> = {
  avoid: 0.1,
  adjust_dose: 0.2,
  separate_doses: 0.3,
  monitor: 0.4,
  be_aware: 0.5,
};

/** Within one severity. A burden stands just before the most urgent of the pairs that are part of it. */
function urgencyOf(
  { kind, action, severity, related_rules }: InteractionResult,
  all: readonly InteractionResult[],
): number {
  if (kind !== 'cumulative_burden') return URGENCY[action];
  const parts = all.filter((other) => other.severity === severity && related_rules.includes(other.rule_id));
  return Math.min(URGENCY[action], ...parts.map((part) => URGENCY[part.action])) - 0.05;
}

function compare(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
