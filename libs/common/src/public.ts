/** The parts of this library that a module outside this repository may use. Everything else may change. */
export type { Caller, SpaceMember, SpaceRole } from './caller';
export { Clock } from './clock';
export { Created } from './created';
export {
  type DefinedErrorCode,
  defineErrors,
  type ErrorCode,
  type ErrorDefinition,
  type ErrorDetail,
  type ErrorExtras,
  ExtensionError,
  invalidField,
  notFound,
  ServiceError,
  validationError,
} from './errors';
export { isUuid, newId } from './ids';
export { Page, type PageRequest } from './paging';
export type { IdempotencyKeyDigest, RevisionCondition } from './preconditions';
export { parseTimestamp } from './timestamp';
