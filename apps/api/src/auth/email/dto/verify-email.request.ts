import { TextField } from '@app/http';

export class VerifyEmailRequest {
  @TextField({ min: 1, max: 256, description: 'The code of the link.', example: 'AZlMXp9S…' })
  token: string;
}
