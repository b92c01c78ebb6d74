import { EmailField } from '@app/security';

export class PreloginRequest {
  @EmailField()
  email: string;
}
