import { ApiProperty } from '@nestjs/swagger';

export class VerifyEmailResponse {
  @ApiProperty({ enum: [true] })
  email_verified: true;
}

export class ReleaseEmailResponse {
  @ApiProperty({ enum: [true] })
  email_released: true;
}
