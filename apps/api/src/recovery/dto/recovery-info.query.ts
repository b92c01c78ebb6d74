import { EmailField } from '@app/security';

export class RecoveryInfoQuery {
  @EmailField()
  email: string;
}
