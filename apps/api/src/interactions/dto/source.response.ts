import { URL_KINDS, type UrlKind } from '@app/interactions';
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
    enum: URL_KINDS,
    description:
      'What opens at `url`: the source itself, a search or index in which it is found by its title or by the name of ' +
      'the drug, or the site of its publisher.',
  })
  url_is?: UrlKind;

  @ApiProperty({
    required: false,
    description:
      'The part of it that says so. Of a label: the section in which labels of this authority state it; old and ' +
      'over-the-counter labels have no numbers.',
    example: '4 Contraindications',
  })
  section?: string;
}
