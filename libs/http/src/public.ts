/** The parts of this library that a module outside this repository may use. Everything else may change. */
export {
  ApiRoute,
  BODY_ERRORS,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  ErrorResponse,
  ITEM_HEADERS,
  LIST_HEADERS,
  type RouteDocumentation,
} from './api-route';
export { EchoedFields } from './echoed-fields';
export { EmptyBody } from './empty-body';
export {
  BooleanField,
  EchoedField,
  EnumField,
  ReadField,
  TextField,
  TimestampField,
  UuidField,
} from './fields';
export { ApiIdempotencyKey, IdempotencyKey } from './idempotency-key';
export { ApiIfMatch, IfMatch } from './if-match';
export { LimitField, ListQuery, toListRequest } from './list.query';
export { Public } from './public-route';
export { RevisedResponse } from './response-fields';
export type { RouteFacts } from './route-facts';
export { BodyLimit } from './route-limits';
export { Weight, type WeightName } from './route-weight';
export { WorksReadOnly } from './works-read-only';
