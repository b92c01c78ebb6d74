import { ACTIONS, GRADED_SEVERITIES, RESULT_KINDS } from '../types';

/** The statements that the engine makes itself. Each has a summary, a mechanism and a management. */
const STATEMENTS = [
  'same-ingredient',
  'same-ingredient-different-routes',
  'same-rescue',
  'emergency-pill',
  'name-assumed-spelling',
  'name-assumed-meanings',
  'name-assumed-one-country',
  'too-many-ingredients',
  'unrecognized',
  'species-not-assessed',
  'person-not-assessed',
  'person-allergy-to-this',
  'dose-unread',
  'dose-strength-unknown',
  'dose-without-ceiling',
  'dose-of-a-child',
  'dose-frequency-unknown',
  'child-dose-above',
  'child-dose-too-young',
  'child-dose-without-weight',
  'known',
  'known-contraindicated',
  'known-duplicate_therapy',
];

/** Every text that the engine needs besides those of the rules. A base must hold all of them in English. */
export const TEXT_IDS: readonly string[] = [
  ...RESULT_KINDS.flatMap((kind) => [`kind.${kind}`, `do.${kind}`]),
  ...[...GRADED_SEVERITIES, 'unknown'].map((severity) => `severity.${severity}`),
  ...ACTIONS.map((action) => `action.${action}`),
  ...['child', 'pregnancy', 'breastfeeding', 'kidneys', 'allergy'].map((fact) => `fact.${fact}`),
  ...['other-medicine', 'listed-medicine', 'another-product', 'others'].map((word) => `word.${word}`),
  'sum.not-counted',
  ...['single', 'daily', 'weight', 'heavy', 'years', 'months'].map((word) => `limit.${word}`),
  'same-reason',
  ...['rescue', 'rescue-person'].flatMap((id) => [`${id}.management`, `do.${id}`]),
  ...STATEMENTS.flatMap((id) => [`${id}.summary`, `${id}.mechanism`, `${id}.management`]),
];
