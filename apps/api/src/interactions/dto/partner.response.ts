import { ApiProperty } from '@nestjs/swagger';

export class PartnerResponse {
  @ApiProperty({ example: 'warfarin', description: 'The INN, or the name of a class.' })
  ingredient: string;

  @ApiProperty({ type: [String], description: 'The INN first; of a class the INNs of its members.' })
  names: string[];

  @ApiProperty({ type: [String] })
  brands: string[];

  @ApiProperty({ required: false, enum: [true], type: Boolean, description: 'Only for a class.' })
  is_class?: true;
}
