import { ApiProperty } from '@nestjs/swagger';

export class SourceResponse {
  @ApiProperty({ example: 'fda-label' })
  id: string;

  @ApiProperty()
  title: string;

  @ApiProperty()
  publisher: string;

  @ApiProperty({ type: 'integer', example: 2024 })
  year: number;

  @ApiProperty({ required: false, format: 'uri', description: 'Where it can be read, if that is known.' })
  url?: string;

  @ApiProperty({
    required: false,
    description: 'The part of it that says so.',
    example: '4 Contraindications',
  })
  section?: string;
}
