/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { AccessTokenGuard } from './access-token.guard';
export { SecretField } from './credential-fields';
export { ClientAddress, CurrentCaller } from './request-parameters';
export { LiveSessionGuard } from './live-session.guard';
