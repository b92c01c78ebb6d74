export * from './access-token.guard';
export * from './address-pseudonyms';
export * from './admission';
export * from './request-parameters';
export * from './credential-fields';
export * from './identity-fields';
export * from './decoys';
export * from './ended-sessions';
export * from './new-kdf.field';
export * from './live-session.guard';
export * from './password-hasher';
export { type Attempt, isKnown } from './rate-limits/attempt';
export * from './rate-limits/policies';
export * from './rate-limits/rate-limits';
export * from './request-budgets';
export * from './sealed-secrets';
export * from './security.module';
export { SpaceGuard } from './spaces/space.guard';
export * from './tickets';
export {
  type IssuedToken,
  type RefreshTicket,
  REFRESH_TOKEN_TTL_SECONDS,
  Tokens,
  type TokenSubject,
} from './tokens';
