import type { JsonObject } from '../json';

/** For whom the medicines are. */
export type Species = 'human' | 'dog' | 'cat';

/** One finding, as the service and the engine on the device give it; field names are those of the HTTP contract. */
export interface InteractionResult {
  kind: 'interaction' | 'duplicate_therapy' | 'food' | 'dose_ceiling' | 'species_toxicity' | 'unrecognized';
  severity: 'contraindicated' | 'major' | 'moderate' | 'minor' | 'unknown';
  action: 'avoid' | 'adjust_dose' | 'separate_doses' | 'monitor' | 'be_aware';
  medications: string[];
  ingredients: string[];
  summary: string;
  mechanism: string;
  management: string;
  evidence: 'established' | 'probable' | 'theoretical';
  sources: { id: string; title: string; publisher: string; year: number }[];
  rule_id: string;
  related_rules: string[];
  matches: { input: string; ingredient: string; method: string; confidence: number }[];
  knowledge_version: string;
  partners?: { ingredient: string; names: string[]; brands: string[] }[];
}

export interface CheckRequest {
  /** Up to 100 names, each of 1 to 200 characters. */
  medications: readonly string[];
  /** Default `human`. */
  species?: Species;
}

export interface CheckNewRequest {
  name: string;
  /** `500 mg three times a day`; may be empty. */
  dosage?: string;
  /** What the person takes already. Without it each result names its partners. */
  medications?: readonly string[];
  species?: Species;
}

/** What one name was read as. `ingredients` are INNs; empty when the name is unknown. */
export interface ResolvedName {
  input: string;
  ingredients: string[];
  method: string;
  /** 1 unless the spelling was corrected. */
  confidence: number;
  suggestions: string[];
}

/** Checks on the device. Pure: gets names, returns findings, sends nothing. */
export interface InteractionEngine {
  check(request: CheckRequest): InteractionResult[];
  checkNew(request: CheckNewRequest): InteractionResult[];
  resolve(request: { medications: readonly string[] }): ResolvedName[];
}

/** Makes an engine of a served knowledge base; asynchronous so that its code can be loaded when it is first needed. */
export type InteractionEngineFactory = (
  knowledgeBase: JsonObject,
) => InteractionEngine | Promise<InteractionEngine>;
