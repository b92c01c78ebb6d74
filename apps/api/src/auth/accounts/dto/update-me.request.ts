import { ChangePasswordRequest } from './change-password.request';
import { EmailField } from '@app/security';

/** The salt of the client's key derivation belongs to the email. A new email therefore needs a new secret. */
export class UpdateMeRequest extends ChangePasswordRequest {
  @EmailField()
  email: string;
}
