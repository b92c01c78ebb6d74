import { TextField } from '@app/http';

export class RefreshRequest {
  @TextField({
    min: 1,
    max: 4096,
    description: 'As login, register or the last refresh gave it.',
    example: 'eyJhbGciOi…',
  })
  refresh_token: string;
}
