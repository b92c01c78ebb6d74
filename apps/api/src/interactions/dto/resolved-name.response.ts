import { ApiProperty } from '@nestjs/swagger';
import type { MatchMethod, ResolvedName } from '@app/interactions';

class MeaningResponse {
  @ApiProperty({ type: [String], example: ['glibenclamide'] })
  ingredients: string[];

  @ApiProperty({ type: [String], description: 'ISO 3166 codes; may be empty.', example: ['US'] })
  countries: string[];
}

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

  @ApiProperty({
    type: [String],
    description: 'Known names that a part not recognised, or only assumed, could stand for.',
  })
  suggestions: string[];

  @ApiProperty({
    type: [MeaningResponse],
    required: false,
    description:
      'Only where the name means different things in different countries; `ingredients` holds all.',
  })
  meanings?: MeaningResponse[];
}
