/** The parts of this library that a module outside this repository may use. Everything else may change. */
export {
  ApiRoute,
  AuthoredResponse,
  BODY_ERRORS,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  ErrorResponse,
  ITEM_HEADERS,
  LIST_HEADERS,
  type RouteDocumentation,
} from './answers/api-route';
export { EchoedFields } from './requests/fields';
export { EmptyBody } from './requests/fields';
export {
  BooleanField,
  CheckedField,
  EchoedField,
  EnumField,
  IntegerField,
  ReadField,
  TextField,
  TimestampField,
  UuidField,
} from './requests/fields';
export { ApiIdempotencyKey, IdempotencyKey } from './headers/idempotency-key';
export { ApiIfMatch, IfMatch } from './headers/if-match';
export { LimitField, ListQuery, toListRequest } from './requests/list.query';
export { Public } from './routes/route-access';
export { RevisedResponse } from './answers/api-route';
export type { RouteFacts } from './routes/route-facts';
export { BodyLimit, LimitByAddress, type RatePolicy } from './routes/route-limits';
export type { SpaceAccess } from './routes/route-spaces';
export { Weight, type WeightName } from './routes/route-weight';
export { WorksReadOnly } from './routes/route-access';
