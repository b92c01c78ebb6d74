import { EmailField } from '@app/security';

/** The body, and the query of the same route for clients that follow the specification. */
export class RecoveryInfoRequest {
  @EmailField()
  email: string;
}
