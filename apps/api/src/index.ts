/**
 * The public exports with which a team runs the service and its own modules. The libraries export the rest.
 */
export { AuthModule } from './auth/auth.module';
export { AuthenticationResponse } from './auth/sessions/dto/authentication.response';
export { type ProvenSignIn, type SignInChange, TokenIssuer } from './auth/sessions/token-issuer.service';
export { createApp, TIMEOUTS } from './configure-app';
export { serviceDataSource } from './data-source';
export { composeService } from './domains';
export { createOpenApi } from './open-api/open-api';
export { runOps } from './ops/program';
export { run } from './run';
export type { Extension, Extensions, Override } from '@app/extension';
