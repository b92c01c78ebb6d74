// The compiled base: the output of the build. Numbers are positions in its arrays.
import type { LabelTopic } from './label-topics';
import type { PersonTerms } from './person/person';
import type { KnowledgeSignature } from './signature';
import type { Language } from './texts/language';
import type {
  Action,
  DoseUnit,
  Evidence,
  GradedSeverity,
  IngredientKind,
  LocalRoute,
  SourceReference,
  Species,
} from './types';

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
  /** Where in the sources, one for each; absent when nothing more is known. */
  cited?: (Citation | null)[];
}

/** A place in a source. */
export interface Citation {
  /** The ingredient whose label it is. */
  label?: number;
  section?: string;
}

/** A source of the base. */
export interface CompiledSource extends SourceReference {
  /** The address of the label of one drug, with `{drug}` in place of its name. */
  drugUrl?: string;
  /** The name of the drug in that address; the one of the United States when absent. */
  drugName?: 'inn';
  /** Only of labels: the section for each topic. */
  sections?: Partial<Record<LabelTopic, string>>;
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
  /** Words and numbers of a name of side `a` that show a low dose: the finding is then `minor`. */
  minorWhereNamed?: string[];
}

/** Two different ingredients of a tag, or the same ingredient twice (with `ingredient`, or with neither). */
export interface CompiledDuplicate extends CompiledStatement {
  tag?: number;
  ingredient?: number;
  except?: CompiledException[];
  /** Also for products that act locally: all of them, or two that act in the same place. */
  keepLocal?: true | 'same';
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
  /** For patches alone: so many at a time, and so many changes a week. */
  patch?: { atATime: number; perWeek: number };
}

/** The highest amount of one ingredient in a day or a week. */
export interface CompiledDose extends CompiledStatement, DoseTerms {
  ingredient: number;
  unit: DoseUnit;
  /** Packs state the strength in micrograms: a number without a unit means them. */
  micrograms?: true;
  maxDaily?: number;
  maxWeekly?: number;
  /** True for a drug that is never taken every day. */
  weekly?: true;
  routes?: string[];
  species?: Species[];
}

/** The limits from an age on, in the unit of the statement. The lower one of two limits counts. */
export interface ChildDoseStep {
  /** In years. */
  from: number;
  single?: number;
  daily?: number;
  singlePerKg?: number;
  dailyPerKg?: number;
}

/** The highest amounts for a child. Below the first step, labels give no dose. */
export interface CompiledChildDose extends Pick<
  CompiledStatement,
  'id' | 'severity' | 'action' | 'sources' | 'cited'
> {
  ingredient: number;
  unit: DoseUnit;
  steps: ChildDoseStep[];
  routes?: string[];
}

/** Amounts of several ingredients that are summed, each in milligrams a day by its factor. */
export interface CompiledDoseSum extends Omit<CompiledStatement, 'severity'> {
  factors: [number, number][];
  /** Ingredients of the same kind whose strength cannot be added up. They are named. */
  notCounted?: number[];
  /** The least sum for a severity, the most severe first. */
  grades: [GradedSeverity, number][];
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
  /** Only for a product whose name has one of these words: effervescent tablets. */
  words?: string[];
  except?: CompiledException[];
  keepLocal?: true;
  /** Statements that say the same of a pair or a list: the caution is not told beside them. */
  told?: string[];
  /** Other medicines in the list that make the caution wrong. */
  beside?: CompiledSelector;
}

/** An illness or an allergy that a person can have. */
export interface CompiledFact {
  id: string;
  kind: 'condition' | 'allergy';
  /** The names that it is typed by, the name to show first. */
  n: Partial<Record<Language, string[]>>;
  /** More general facts, whose statements count for this one too. */
  implies?: number[];
  /** Only for an allergy: the ingredients of the group. */
  covers?: CompiledSelector;
  /** The statements name every ingredient that matters; all others are fine. */
  complete?: true;
}

/** Ingredients that were assessed for some facts of a person and need no caution. */
export interface CompiledFine {
  /** `child`, `pregnancy`, `breastfeeding`, `kidneys`, and ids of facts. */
  facts: string[];
  a: CompiledSelector;
  /** Only for `child`: the youngest age, in years. */
  from?: number;
  /** Only where it acts locally: on the skin, in the eye, inhaled. */
  local?: true;
}

/** Ingredients that act only where they are used, for some routes. */
export interface CompiledLocalUse {
  routes: LocalRoute[];
  a: CompiledSelector;
}

/** Medicines that are kept for an emergency, or pills for one: the engine has texts of its own for them. */
export interface CompiledRescue {
  a: CompiledSelector;
  /** Further drugs of a product that is still one. */
  with?: CompiledSelector;
  /** One of these words must stand in the name. */
  words?: string[];
  /** With one of these words in the name it is none. */
  unless?: string[];
  /** Rules whose advice is about the other medicine, and stays. */
  advice?: string[];
  /** Rules that keep all of their texts. */
  notWith?: string[];
  /** For pills: the texts of the engine that replace those of these rules. All other findings stay as they are. */
  instead?: { texts: string; rules: string[] };
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
  /** A class of medicines, as a person may know it; the others are traits. */
  class?: true;
}

/** Brands of national registers with the same content. */
export interface CompiledBrands {
  i: number[];
  /** The names, joined by `|`. */
  n: string;
  r?: LocalRoute;
  /** The products contain something else that the base does not know. */
  p?: true;
  /** The only country that is known to use these names, where that leaves a doubt. */
  c?: string;
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
  /** Only in an edition: the one language of `texts` and `phrases`. */
  language?: Language;
  version: string;
  released: string;
  changelog: { version: string; date: string; changes: string[] }[];
  sources: CompiledSource[];
  tags: CompiledTag[];
  ingredients: CompiledIngredient[];
  combinations: CompiledCombination[];
  texts: string[];
  /** The texts in other languages, at the same positions; empty where one is not translated. */
  translated?: Partial<Record<Language, string[]>>;
  /**
   * Texts by their ids: those of the engine in all languages, and translations of the texts of statements
   * (`<id>.summary`, `<id>.mechanism`, `<id>.management`).
   */
  phrases?: Partial<Record<Language, Record<string, string>>>;
  rules: CompiledRule[];
  duplicates: CompiledDuplicate[];
  doses: CompiledDose[];
  childDoses?: CompiledChildDose[];
  sums?: CompiledDoseSum[];
  species: CompiledSpeciesRule[];
  lookalikes: [string, string][];
  brands?: CompiledBrands[];
  meanings?: CompiledMeanings[];
  strengths?: CompiledStrength[];
  burdens?: CompiledBurden[];
  cautions?: CompiledCaution[];
  facts?: CompiledFact[];
  fine?: CompiledFine[];
  local?: CompiledLocalUse[];
  rescue?: CompiledRescue[];
  /** Only in an edition that was signed. */
  signature?: KnowledgeSignature;
  /** The signatures of the editions. */
  signatures?: Partial<Record<Language, KnowledgeSignature>>;
}
