/** How a finding arose: two drugs, the same therapy twice, food or alcohol, too much of one drug, an animal, or an unknown name. */
export type ResultKind =
  'interaction' | 'duplicate_therapy' | 'food' | 'dose_ceiling' | 'species_toxicity' | 'unrecognized';

/** Graded severities, most severe first. */
export type GradedSeverity = 'contraindicated' | 'major' | 'moderate' | 'minor';

/** The severity of a result; `unknown` belongs to `unrecognized` alone. */
export type Severity = GradedSeverity | 'unknown';

/** What a person should do. */
export type Action = 'avoid' | 'adjust_dose' | 'separate_doses' | 'monitor' | 'be_aware';

/** How well a finding is supported. */
export type Evidence = 'established' | 'probable' | 'theoretical';

/** For whom the medicines are. */
export type Species = 'human' | 'dog' | 'cat';

/** What an ingredient is; `food` and `alcohol` turn an interaction into a `food` result. */
export type IngredientKind = 'drug' | 'herb' | 'food' | 'mineral' | 'vitamin' | 'alcohol';

/** Places where a product acts locally; any other route reaches the whole body. */
export type LocalRoute =
  'topical' | 'ophthalmic' | 'otic' | 'nasal' | 'inhaled' | 'vaginal' | 'rectal' | 'oromucosal' | 'vesical';

/** How a name was recognised; `none` when it was not. */
export type MatchMethod = 'exact' | 'brand' | 'synonym' | 'salt' | 'combination' | 'spelling' | 'none';

/** Units of a dose ceiling. */
export type DoseUnit = 'mg' | 'IU';

export const GRADED_SEVERITIES: readonly GradedSeverity[] = ['contraindicated', 'major', 'moderate', 'minor'];
export const ACTIONS: readonly Action[] = ['avoid', 'adjust_dose', 'separate_doses', 'monitor', 'be_aware'];
export const EVIDENCE_LEVELS: readonly Evidence[] = ['established', 'probable', 'theoretical'];
export const ALL_SPECIES: readonly Species[] = ['human', 'dog', 'cat'];
export const INGREDIENT_KINDS: readonly IngredientKind[] = [
  'drug',
  'herb',
  'food',
  'mineral',
  'vitamin',
  'alcohol',
];
export const LOCAL_ROUTES: readonly LocalRoute[] = [
  'topical',
  'ophthalmic',
  'otic',
  'nasal',
  'inhaled',
  'vaginal',
  'rectal',
  'oromucosal',
  'vesical',
];

/** Where a statement comes from. */
export interface SourceReference {
  id: string;
  title: string;
  publisher: string;
  year: number;
}

/** One input name, and the ingredient it was read as. `confidence` is 1 unless the spelling was corrected. */
export interface NameMatch {
  input: string;
  ingredient: string;
  method: MatchMethod;
  confidence: number;
}

/** One ingredient of the other side of a finding, with every name a person may know it by. */
export interface Partner {
  ingredient: string;
  names: string[];
  /** Brands of the ingredient alone and of combinations that contain it. */
  brands: string[];
}

/** One finding. Field names are those of the HTTP contract. */
export interface InteractionResult {
  kind: ResultKind;
  severity: Severity;
  action: Action;
  medications: string[];
  ingredients: string[];
  summary: string;
  mechanism: string;
  management: string;
  evidence: Evidence;
  sources: SourceReference[];
  rule_id: string;
  related_rules: string[];
  matches: NameMatch[];
  knowledge_version: string;
  partners?: Partner[];
}

/** What one name was read as. `ingredients` are INNs; empty when the name is unknown. */
export interface ResolvedName {
  input: string;
  ingredients: string[];
  method: MatchMethod;
  confidence: number;
  /** At most five known names near a part that was not recognised. */
  suggestions: string[];
}

/** The input of `check`. */
export interface CheckRequest {
  medications: readonly string[];
  species?: Species;
}

/** The input of `checkNew`; without `medications` each result names its partners instead. */
export interface CheckNewRequest {
  name: string;
  dosage?: string;
  medications?: readonly string[];
  species?: Species;
}

/* ---- The compiled base: what the build makes of the YAML folder. Numbers are positions in the arrays. ---- */

/** A tag or an ingredient on one side of a rule: positions in `tags` and in `ingredients`. */
export interface CompiledSelector {
  t?: number[];
  i?: number[];
}

/** A pair to which a rule does not apply; a side left out matches anything. */
export interface CompiledException {
  a?: CompiledSelector;
  b?: CompiledSelector;
}

/** Positions of the three texts in `texts`, and what every statement carries. */
export interface CompiledStatement {
  id: string;
  severity: GradedSeverity;
  action: Action;
  evidence?: Evidence;
  summary: number;
  mechanism: number;
  management: number;
  sources: number[];
}

/** A rule about a pair. `severity: none` means "checked, does not matter" and has no texts. */
export interface CompiledRule extends Omit<
  CompiledStatement,
  'severity' | 'action' | 'summary' | 'mechanism' | 'management'
> {
  kind?: 'food';
  a: CompiledSelector;
  b: CompiledSelector;
  severity: GradedSeverity | 'none';
  action?: Action;
  summary?: number;
  mechanism?: number;
  management?: number;
  except?: CompiledException[];
  overrides?: string[];
  keepLocal?: true;
  species?: Species[];
}

/** Two different ingredients of a tag, or (with `ingredient`, or with neither) the same ingredient twice. */
export interface CompiledDuplicate extends CompiledStatement {
  tag?: number;
  ingredient?: number;
  except?: CompiledException[];
  keepLocal?: true;
}

/** The most of one ingredient in a day or a week. */
export interface CompiledDose extends CompiledStatement {
  ingredient: number;
  unit: DoseUnit;
  maxDaily?: number;
  maxWeekly?: number;
  /** A drug that is never taken every day. */
  weekly?: true;
  routes?: string[];
  species?: Species[];
}

/** A substance that harms a species. */
export interface CompiledSpeciesRule extends CompiledStatement {
  species: Species[];
  a: CompiledSelector;
  except?: CompiledException[];
}

/** A name, or a name whose product acts only locally. */
export type CompiledAlias = string | { name: string; routes: LocalRoute[] };

export interface CompiledIngredient {
  inn: string;
  usan?: string;
  kind?: IngredientKind;
  synonyms?: CompiledAlias[];
  brands?: CompiledAlias[];
  /** Own tags; what they imply is derived. */
  tags?: number[];
  /** Only for a drug that is used only locally. */
  routes?: LocalRoute[];
  /** Acts on the whole body from the skin, nose or eye as well. */
  keepLocal?: true;
}

export interface CompiledCombination {
  name: string;
  ingredients: number[];
  synonyms?: CompiledAlias[];
  brands?: CompiledAlias[];
  routes?: LocalRoute[];
}

export interface CompiledTag {
  id: string;
  name: string;
  definition: string;
  implies?: number[];
}

/** The whole knowledge base in one JSON document; the same document serves the API and a browser. */
export interface KnowledgeBase {
  format: 1;
  version: string;
  released: string;
  changelog: { version: string; date: string; changes: string[] }[];
  sources: (SourceReference & { url?: string })[];
  tags: CompiledTag[];
  ingredients: CompiledIngredient[];
  combinations: CompiledCombination[];
  texts: string[];
  rules: CompiledRule[];
  duplicates: CompiledDuplicate[];
  doses: CompiledDose[];
  species: CompiledSpeciesRule[];
  lookalikes: [string, string][];
}
