import { BurdenCheck } from './burdens/burden-check';
import { DoseCheck } from './dosage/dose-check';
import { PairCheck } from './pair-check';
import type { Assessed } from './person/assessed';
import { PersonCheck } from './person/person-check';
import { ResultFactory } from './result-factory';
import type { DuplicateRules, PairRules } from './rules/pair-rules';
import type { TagSets } from './rules/tag-closure';
import { SpeciesCheck } from './species-check';
import type { Language } from './texts/language';
import type { KnowledgeBase } from './compiled-base';

/** The checks that make results, with texts in one language. */
export class Checks {
  readonly factory: ResultFactory;
  readonly burdens: BurdenCheck;
  readonly doses: DoseCheck;
  readonly persons: PersonCheck;
  readonly animals: SpeciesCheck;
  readonly pairs: PairCheck;

  constructor(
    base: KnowledgeBase,
    tags: TagSets,
    rules: { pairs: PairRules; duplicates: DuplicateRules; assessed: Assessed },
    language: Language,
  ) {
    this.factory = new ResultFactory(base, language);
    this.burdens = new BurdenCheck(base, tags, this.factory);
    this.doses = new DoseCheck(base, this.factory);
    this.persons = new PersonCheck(base, tags, rules.assessed, this.factory);
    this.pairs = new PairCheck(base, rules.pairs, rules.duplicates, this.factory);
    this.animals = new SpeciesCheck(base, tags, this.factory);
  }
}
