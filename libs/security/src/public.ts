/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { AccessTokenGuard } from './access-token.guard';
export { ClientAddress } from './client-address';
export { SecretField } from './credential-fields';
export { CurrentCaller } from './current-caller';
export { LiveSessionGuard } from './live-session.guard';
