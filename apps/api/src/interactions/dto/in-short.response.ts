import { ApiProperty } from '@nestjs/swagger';
import type { InShort, Language } from '@app/interactions';

export class InShortResponse implements InShort {
  @ApiProperty({ enum: ['en', 'de', 'es'] })
  lang: Language;

  @ApiProperty({ example: 'interaction' })
  kind: string;

  @ApiProperty({ example: 'serious' })
  severity: string;

  @ApiProperty({ example: 'avoid' })
  action: string;

  @ApiProperty({ description: 'One sentence on what to do now.' })
  what_to_do: string;
}
