import type { Person, PersonTerms } from './person/person';

/**
 * How a finding arose.
 * - `name_assumed`: the spelling of a name was corrected, or one of several meanings was used;
 * - `dose_unchecked`: a dosage that could not be read, or that has no ceiling;
 * - `not_assessed`: nothing is known for this species;
 * - `cumulative_burden`: the effects of three or more medicines add up;
 * - `person_caution`: about the person given to the engine, never from the service.
 */
export type ResultKind =
  | 'interaction'
  | 'duplicate_therapy'
  | 'food'
  | 'dose_ceiling'
  | 'species_toxicity'
  | 'unrecognized'
  | 'name_assumed'
  | 'dose_unchecked'
  | 'not_assessed'
  | 'cumulative_burden'
  | 'person_caution';

/** Graded severities, most severe first. */
export type GradedSeverity = 'contraindicated' | 'major' | 'moderate' | 'minor';

/** The severity of a result; `unknown` when something was not checked, or not with certainty. */
export type Severity = GradedSeverity | 'unknown';

/** The recommended action. */
export type Action = 'avoid' | 'adjust_dose' | 'separate_doses' | 'monitor' | 'be_aware';

/** How strong the evidence for a finding is. */
export type Evidence = 'established' | 'probable' | 'theoretical';

/** The species that takes the medicines. */
export type Species = 'human' | 'dog' | 'cat';

/** The kind of an ingredient; `food` and `alcohol` turn an interaction into a `food` result. */
export type IngredientKind = 'drug' | 'herb' | 'food' | 'mineral' | 'vitamin' | 'alcohol';

/** Places where a product acts locally. Any other route reaches the whole body. */
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

/** The source of a statement. */
export interface SourceReference {
  id: string;
  title: string;
  publisher: string;
  year: number;
  /** The public address, if there is one. */
  url?: string;
}

/** One input name and the ingredient it was read as. `confidence` is 1 unless the spelling was corrected. */
export interface NameMatch {
  input: string;
  ingredient: string;
  method: MatchMethod;
  confidence: number;
}

/** One ingredient of the other side of a finding, with all its names that a person may know. */
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

/** The ingredients that one name was read as. `ingredients` are INNs; empty when the name is unknown. */
export interface ResolvedName {
  input: string;
  ingredients: string[];
  method: MatchMethod;
  confidence: number;
  /** At most five names that an unrecognised or assumed part could mean. */
  suggestions: string[];
  /** Only for a name with different meanings in different countries; `ingredients` holds all of them. */
  meanings?: NameMeaning[];
}

/** The meaning of a name in some countries. */
export interface NameMeaning {
  ingredients: string[];
  /** ISO 3166 codes; empty when the country is unknown. */
  countries: string[];
}

/** The input of `check`. */
export interface CheckRequest {
  medications: readonly string[];
  species?: Species;
  /** Only on the device; people only. */
  person?: Person;
}

/** The input of `checkNew`. Without `medications`, each result names its partners. */
export interface CheckNewRequest {
  name: string;
  dosage?: string;
  medications?: readonly string[];
  species?: Species;
  /** Only on the device; people only. */
  person?: Person;
}

/* ---- The compiled base: the output of the build. Numbers are positions in the arrays. ---- */

/** A tag or an ingredient on one side of a rule: positions in `tags` and in `ingredients`. */
export interface CompiledSelector {
  t?: number[];
  i?: number[];
}

/** A pair to which a rule does not apply. An absent side matches everything. */
export interface CompiledException {
  a?: CompiledSelector;
  b?: CompiledSelector;
}

/** The positions of the three texts in `texts`, and the common members of all statements. */
export interface CompiledStatement {
  id: string;
  /** Earlier ids of the statement. */
  formerly?: string[];
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

/** Two different ingredients of a tag, or the same ingredient twice (with `ingredient`, or with neither). */
export interface CompiledDuplicate extends CompiledStatement {
  tag?: number;
  ingredient?: number;
  except?: CompiledException[];
  keepLocal?: true;
}

/**
 * The highest frequency of a dose, when the strength or the brand shows that the product is not for daily
 * use.
 */
export interface DoseSchedule {
  most: 'weekly' | 'monthly';
  /** The smallest single dose, in milligrams, to which this applies. */
  from?: number;
  /** Words of names to which it does not apply, such as the brand of a daily tablet. */
  unless?: string[];
}

/** The products to which a ceiling applies. */
export interface DoseTerms {
  /** A product bought without a prescription, or only a prescribed one; both when absent. */
  use?: 'otc' | 'prescription';
  /** Regions whose labels give this figure; all regions when absent. */
  regions?: string[];
  schedule?: DoseSchedule;
}

/** The highest amount of one ingredient in a day or a week. */
export interface CompiledDose extends CompiledStatement, DoseTerms {
  ingredient: number;
  unit: DoseUnit;
  maxDaily?: number;
  maxWeekly?: number;
  /** True for a drug that is never taken every day. */
  weekly?: true;
  routes?: string[];
  species?: Species[];
}

/**
 * A substance that harms a species. With severity `none`: an assessed substance that needs no specific
 * warning.
 */
export interface CompiledSpeciesRule extends Omit<CompiledStatement, 'severity'> {
  severity: GradedSeverity | 'none';
  species: Species[];
  a: CompiledSelector;
  except?: CompiledException[];
}

/** An effect that adds up over three or more medicines. The sum of points decides the severity. */
export interface CompiledBurden extends Omit<CompiledStatement, 'severity'> {
  members: { a: CompiledSelector; p: number }[];
  /** A different medicine must meet each of these. */
  needs?: CompiledSelector[];
  /** The least points for a severity, the most severe first. */
  grades: [GradedSeverity, number][];
}

/** A caution about a medicine for some people. */
export interface CompiledCaution extends CompiledStatement {
  when: PersonTerms;
  a: CompiledSelector;
  except?: CompiledException[];
  keepLocal?: true;
}

/** A name, or a name whose product acts only locally. */
export type CompiledAlias = string | { name: string; routes: LocalRoute[] };

export interface CompiledIngredient {
  inn: string;
  usan?: string;
  kind?: IngredientKind;
  synonyms?: CompiledAlias[];
  brands?: CompiledAlias[];
  /** The declared tags of the ingredient; implied tags are derived. */
  tags?: number[];
  /** Only for a drug that is used only locally. */
  routes?: LocalRoute[];
  /**
   * Acts on the whole body also from the skin, nose or eye. A list names the only local routes with this
   * effect.
   */
  keepLocal?: true | LocalRoute[];
  /**
   * Words for a form in which this ingredient acts only locally, although the word usually means the whole
   * body ("patch").
   */
  localForms?: string[];
  /** Another common name, when no United States name differs; shown next to the INN. */
  alsoCalled?: string;
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

/** Brands of national registers with the same content. */
export interface CompiledBrands {
  i: number[];
  /** The names, joined by `|`. */
  n: string;
  r?: LocalRoute;
  /** The products contain something else that the base does not know. */
  p?: true;
}

/**
 * The possible content of one piece (tablet, capsule, puff) of some products: amounts in milligrams by
 * ingredient.
 */
export interface CompiledStrength {
  n: string[];
  u: [ingredient: number, milligrams: number][][];
}

/** A name with different meanings in different countries. */
export interface CompiledMeanings {
  n: string;
  m: { i: number[]; c: string[] }[];
}

/** The whole knowledge base in one JSON document. The API and a browser use the same document. */
export interface KnowledgeBase {
  format: 1;
  version: string;
  released: string;
  changelog: { version: string; date: string; changes: string[] }[];
  sources: SourceReference[];
  tags: CompiledTag[];
  ingredients: CompiledIngredient[];
  combinations: CompiledCombination[];
  texts: string[];
  rules: CompiledRule[];
  duplicates: CompiledDuplicate[];
  doses: CompiledDose[];
  species: CompiledSpeciesRule[];
  lookalikes: [string, string][];
  brands?: CompiledBrands[];
  meanings?: CompiledMeanings[];
  strengths?: CompiledStrength[];
  burdens?: CompiledBurden[];
  cautions?: CompiledCaution[];
}
