import { ApiProperty } from '@nestjs/swagger';
import type {
  Action,
  Evidence,
  InteractionResult,
  Language,
  MatchMethod,
  ResultKind,
  Severity,
} from '@app/interactions';
import { InShortResponse } from './in-short.response';
import { PartnerResponse } from './partner.response';
import { SourceResponse } from './source.response';

class MatchResponse {
  @ApiProperty({ example: 'ibuprofen 400 mg' })
  input: string;

  @ApiProperty({ example: 'ibuprofen' })
  ingredient: string;

  @ApiProperty({ enum: ['exact', 'brand', 'synonym', 'salt', 'combination', 'spelling', 'none'] })
  method: MatchMethod;

  @ApiProperty({ description: '1, or less where the spelling was corrected.', example: 1 })
  confidence: number;
}

export class InteractionResultResponse implements InteractionResult {
  @ApiProperty({
    enum: [
      'interaction',
      'duplicate_therapy',
      'food',
      'dose_ceiling',
      'species_toxicity',
      'unrecognized',
      'name_assumed',
      'dose_unchecked',
      'not_assessed',
      'cumulative_burden',
    ],
    description:
      'Not checked, or not for certain: `unrecognized`, `name_assumed` (spelling corrected, or one of several meanings), `dose_unchecked`, ' +
      '`not_assessed` (nothing is known for this species). `cumulative_burden`: three or more medicines add up.',
  })
  kind: ResultKind;

  @ApiProperty({ enum: ['contraindicated', 'major', 'moderate', 'minor', 'unknown'] })
  severity: Severity;

  @ApiProperty({ enum: ['avoid', 'adjust_dose', 'separate_doses', 'monitor', 'be_aware'] })
  action: Action;

  @ApiProperty({ type: [String], description: 'As sent.', example: ['warfarin', 'ibuprofen 400 mg'] })
  medications: string[];

  @ApiProperty({ type: [String], description: 'INNs.', example: ['ibuprofen', 'warfarin'] })
  ingredients: string[];

  @ApiProperty()
  summary: string;

  @ApiProperty()
  mechanism: string;

  @ApiProperty()
  management: string;

  @ApiProperty({ enum: ['established', 'probable', 'theoretical'] })
  evidence: Evidence;

  @ApiProperty({ type: [SourceResponse] })
  sources: SourceResponse[];

  @ApiProperty()
  rule_id: string;

  @ApiProperty({ type: [String] })
  related_rules: string[];

  @ApiProperty({ type: [MatchResponse] })
  matches: MatchResponse[];

  @ApiProperty({ example: '1.0.0' })
  knowledge_version: string;

  @ApiProperty({
    enum: ['en', 'de', 'es'],
    description:
      'The language of `summary`, `mechanism` and `management`: English where they are not translated.',
  })
  lang: Language;

  @ApiProperty({ description: 'The finding in words for a family.' })
  in_short: InShortResponse;

  @ApiProperty({
    type: [PartnerResponse],
    required: false,
    description: 'Only from check-new without `medications`.',
  })
  partners?: PartnerResponse[];
}
