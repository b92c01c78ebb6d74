import { ApiProperty } from '@nestjs/swagger';
import type { MatchMethod, ResolvedName } from '@app/interactions';

export class ResolvedNameResponse implements ResolvedName {
  @ApiProperty({ example: 'Tylenol 500 mg' })
  input: string;

  @ApiProperty({
    type: [String],
    description: 'INNs; empty where the name is not known.',
    example: ['paracetamol'],
  })
  ingredients: string[];

  @ApiProperty({
    enum: ['exact', 'brand', 'synonym', 'salt', 'combination', 'spelling', 'none'],
    example: 'brand',
  })
  method: MatchMethod;

  @ApiProperty({ example: 1 })
  confidence: number;

  @ApiProperty({ type: [String], description: 'Known names that look alike.' })
  suggestions: string[];
}
