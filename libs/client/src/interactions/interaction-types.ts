import type { JsonObject } from '../json';

/** The species that takes the medicines. */
export type Species = 'human' | 'dog' | 'cat';

/**
 * How a finding arose. These kinds report an incomplete check: `unrecognized`, `name_assumed` (the spelling
 * of a name was corrected, or one of several meanings was used), `dose_unchecked`, `not_assessed` (nothing is
 * known for this species, or for the `fact` of the person). `person_caution` comes only from the engine on the device.
 */
export type InteractionKind =
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

/** One finding, from the service or from the engine on the device. */
export interface InteractionResult {
  kind: InteractionKind;
  severity: 'contraindicated' | 'major' | 'moderate' | 'minor' | 'unknown';
  action: 'avoid' | 'adjust_dose' | 'separate_doses' | 'monitor' | 'be_aware';
  medications: string[];
  ingredients: string[];
  summary: string;
  mechanism: string;
  management: string;
  evidence: 'established' | 'probable' | 'theoretical';
  /** `urlIs`: the source itself, a search or index in which it is found, or the site of its publisher. */
  sources: {
    id: string;
    title: string;
    publisher: string;
    year: number;
    url?: string;
    urlIs?: 'document' | 'search' | 'site';
    section?: string;
  }[];
  ruleId: string;
  relatedRules: string[];
  matches: { input: string; ingredient: string; method: string; confidence: number }[];
  knowledgeVersion: string;
  /** The language of summary, mechanism and management. Absent from an older service, as is `inShort`. */
  lang?: string;
  /** The finding in words for a family, in the language asked for where it is translated. */
  inShort?: { lang: string; kind: string; severity: string; action: string; whatToDo: string };
  /**
   * Only for `not_assessed` about the person, from the device: `child`, `pregnancy`, `breastfeeding`, `kidneys`, or the
   * illness or allergy as given.
   */
  fact?: string;
  /** With `isClass`, `ingredient` is the name of a class and `names` are the INNs of its members. */
  partners?: { ingredient: string; names: string[]; brands: string[]; isClass?: true }[];
}

/**
 * The person who takes the medicines. Absent members are not checked.
 * Security: only for checks on the device; it is never sent.
 */
export interface Person {
  /** In years. */
  age?: number;
  sex?: 'female' | 'male';
  pregnant?: boolean;
  breastfeeding?: boolean;
  /** In months; more exact than `age` for a small child. */
  age_months?: number;
  weight_kg?: number;
  /**
   * Illnesses and allergies, each by the id or a name of the knowledge base (`facts`). One that it does not know
   * gives `not_assessed`.
   */
  conditions?: readonly string[];
  allergies?: readonly string[];
  /** Free text: one a line, or separated by commas or semicolons. */
  other_conditions?: string | readonly string[];
  other_allergies?: string | readonly string[];
  /** Estimated glomerular filtration rate, in ml/min/1.73 m². */
  egfr?: number;
  smokes?: boolean;
}

/** A check on the device. It may contain data about the person. */
export type DeviceCheckRequest = CheckRequest & { person?: Person };

/** A check of a new medicine on the device. It may contain data about the person. */
export type DeviceCheckNewRequest = CheckNewRequest & { person?: Person };

/** The medicines that are checked together. */
export interface CheckRequest {
  /** Up to 100 names, each of 1 to 200 characters. */
  medications: readonly string[];
  /** Default `human`. */
  species?: Species;
  /** The language of the texts: `en`, `de`, `es`. Default on the device: English; on the service: that of the browser. */
  language?: string;
}

/** A new medicine, and those that are taken already. */
export interface CheckNewRequest {
  name: string;
  /** For example `500 mg three times a day`; may be empty. */
  dosage?: string;
  /** The medicines that the person already takes. Without them, each result names its partners. */
  medications?: readonly string[];
  species?: Species;
  language?: string;
  /**
   * Without `medications`: `classes` (default), `full`, or the `ruleId` or one of the `relatedRules` of a result,
   * for only that in full.
   */
  detail?: string;
}

/** The ingredients that one name was read as. `ingredients` are INNs; empty when the name is unknown. */
export interface ResolvedName {
  input: string;
  ingredients: string[];
  method: string;
  /** 1 unless the spelling was corrected. */
  confidence: number;
  suggestions: string[];
  /** Only for a name that means different things in different countries; `ingredients` holds all of them. */
  meanings?: { ingredients: string[]; countries: string[] }[];
}

/** A name that the knowledge base knows. `ingredients` are INNs; empty for a name with several meanings. */
export interface KnownName {
  name: string;
  ingredients: string[];
}

/**
 * Checks on the device. It has no side effects: it receives names, returns findings and sends nothing. The
 * findings have the names of the HTTP API (`rule_id` …).
 */
export interface InteractionEngine {
  /** What all medicines do together, and each for the person. */
  check(request: DeviceCheckRequest): object[];
  /** What a new medicine does with the others. */
  checkNew(request: DeviceCheckNewRequest): object[];
  /** How each name is read. */
  resolve(request: { medications: readonly string[] }): ResolvedName[];
  /** An engine without it completes nothing. */
  namesBeginning?(request: { text: string; limit?: number }): KnownName[];
}

/**
 * Makes an engine from a served knowledge base. Asynchronous, so that its code can be loaded on first use.
 */
export type InteractionEngineFactory = (
  knowledgeBase: JsonObject,
) => InteractionEngine | Promise<InteractionEngine>;
