import { ApiProperty } from '@nestjs/swagger';
import {
  type Action,
  type Evidence,
  type InShort,
  type InteractionResult,
  type Language,
  type MatchMethod,
  type ResultKind,
  type Severity,
  URL_KINDS,
  type UrlKind,
} from '@app/interactions';

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
