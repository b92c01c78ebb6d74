import { SecretField } from '@app/security';

export class DeleteMeRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;
}
