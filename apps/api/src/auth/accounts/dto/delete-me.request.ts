import { EnumField } from '@app/http';
import { SecretField } from '@app/security';

export class DeleteMeRequest {
  @SecretField({ description: 'The auth secret of the current password.' })
  current_password: string;

  @EnumField({
    optional: true,
    values: ['delete'],
    example: 'delete',
    description:
      'Without it, shared profiles of which nobody else is an owner stop the erasure (`sole_owner`).',
  })
  sole_spaces?: 'delete';
}
