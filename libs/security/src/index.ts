export * from './access-token.guard';
export * from './credential-fields';
export * from './current-caller';
export * from './decoys';
export * from './live-session.guard';
export * from './password-hasher';
export * from './security.module';
export { type RefreshTicket, REFRESH_TOKEN_TTL_SECONDS, Tokens, type TokenSubject } from './tokens';
