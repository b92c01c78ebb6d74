export { exportFhir, FHIR_TITLES, type FhirExportOptions } from './bundle-export';
export { FhirFileError, importFhir, parseBundle, type FhirContent, type PassedOver } from './bundle-import';
export type { PlanText } from './dosages';
export { uuidOf } from './ids';
