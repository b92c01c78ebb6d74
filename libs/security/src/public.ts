/** The parts of this library that a module outside this repository may use. Everything else may change. */
export { ClientAddress } from './client-address';
export { CurrentCaller } from './current-caller';
export { LiveSessionGuard } from './live-session.guard';
