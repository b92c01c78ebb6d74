export { createEngine, type InteractionEngine } from './engine';
export { parseDosage, type ParsedDosage } from './dosage/parse-dosage';
export type * from './compiled-base';
export * from './types';
export type { Person } from './person/person';
export { LANGUAGES, languageOf, type Language } from './texts/language';
export { TEXT_IDS } from './texts/text-ids';
