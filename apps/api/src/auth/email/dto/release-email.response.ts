import { ApiProperty } from '@nestjs/swagger';

export class ReleaseEmailResponse {
  @ApiProperty({ enum: [true] })
  email_released: true;
}
