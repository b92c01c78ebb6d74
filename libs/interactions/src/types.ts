import type { Person } from './person/person';
import type { Language } from './texts/language';

/**
 * How a finding arose.
 * - `name_assumed`: the spelling of a name was corrected, or one of several meanings was used;
 * - `dose_unchecked`: a dosage that could not be read, or that has no ceiling;
 * - `not_assessed`: nothing is known for this species, or for a fact of the person;
 * - `cumulative_burden`: the effects of three or more medicines add up;
 * - `person_caution`: about the person given to the engine, never from the service.
 */
export const RESULT_KINDS = [
  'interaction',
  'duplicate_therapy',
  'food',
  'dose_ceiling',
  'species_toxicity',
  'unrecognized',
  'name_assumed',
  'dose_unchecked',
  'not_assessed',
  'cumulative_burden',
  'person_caution',
] as const;

export type ResultKind = (typeof RESULT_KINDS)[number];

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

export const URL_KINDS = ['document', 'search', 'site'] as const;

export type UrlKind = (typeof URL_KINDS)[number];

/** The source of a statement. */
export interface SourceReference {
  id: string;
  title: string;
  publisher: string;
  year: number;
  /** The public address, if there is one. */
  url?: string;
  /**
   * What opens there: the source itself, a search or index in which the source is found by its title or by the name
   * of the drug, or the site of the publisher.
   */
  url_is?: UrlKind;
  /** The part of the source that says so, if it is known. */
  section?: string;
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
  /** Only for a class of ingredients: `ingredient` is the name of the class, `names` are the INNs of its members. */
  is_class?: true;
}

/** The finding in words for a family, in the language asked for where it is translated. */
export interface InShort {
  lang: Language;
  kind: string;
  severity: string;
  action: string;
  /** One sentence on what to do now. */
  what_to_do: string;
}

/**
 * One finding. Field names are those of the HTTP contract. `lang` is the language of summary, mechanism and
 * management.
 */
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
  lang: Language;
  in_short: InShort;
  partners?: Partner[];
  /**
   * Only for `not_assessed` about the person: `child`, `pregnancy`, `breastfeeding`, `kidneys`, or the illness or allergy
   * as given.
   */
  fact?: string;
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

/** A name of the knowledge base. */
export interface KnownName {
  /** As the base writes it. */
  name: string;
  /** INNs; empty for a name that means different things in different countries. */
  ingredients: string[];
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
  /** The language of the texts, as `de` or `de-AT`. Default and fallback: English. */
  language?: string;
}

/** The input of `checkNew`. Without `medications`, each result names its partners. */
export interface CheckNewRequest {
  name: string;
  dosage?: string;
  medications?: readonly string[];
  /**
   * How much everything known about one medicine says; without effect when there are `medications`. `classes`
   * (default): one result for each kind, severity and action, partners by class. `full`: one result for each rule, with
   * all names and brands of each partner. The `rule_id` of a result, or one of its `related_rules`: only that, in full.
   */
  detail?: string;
  species?: Species;
  /** Only on the device; people only. */
  person?: Person;
  /** The language of the texts, as `de` or `de-AT`. Default and fallback: English. */
  language?: string;
}
