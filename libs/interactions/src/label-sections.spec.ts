import { labelSection } from './label-sections';
import { LABEL_TOPICS, type LabelTopic } from './label-topics';
import type { ResultKind, Severity } from './types';

const sections = Object.fromEntries(LABEL_TOPICS.map((topic) => [topic, topic])) as Record<
  LabelTopic,
  string
>;

describe('the section of a label', () => {
  it.each<[ResultKind, Severity, string, Parameters<typeof labelSection>[3]]>([
    ['interaction', 'major', 'interaction', undefined],
    ['food', 'contraindicated', 'contraindication; interaction', undefined],
    ['dose_ceiling', 'contraindicated', 'dose', undefined],
    ['person_caution', 'contraindicated', 'pregnancy', { pregnant: true }],
    ['person_caution', 'major', 'pregnancy', { sex: 'female', ageFrom: 12 }],
    ['person_caution', 'major', 'breastfeeding', { breastfeeding: true }],
    ['person_caution', 'major', 'children', { ageBelow: 12 }],
    ['person_caution', 'moderate', 'older_people', { ageFrom: 65 }],
    ['person_caution', 'contraindicated', 'contraindication', { smokes: true, ageFrom: 35 }],
    ['person_caution', 'major', 'kidneys', { egfrBelow: 60 }],
    ['person_caution', 'major', 'warning', { condition: 'asthma' }],
  ])('of %s, %s is %s', (kind, severity, expected, when) => {
    expect(labelSection({ sections }, kind, severity, when)).toBe(expected);
  });

  it('is not made up for another source', () => {
    expect(labelSection({}, 'interaction', 'major')).toBeUndefined();
  });
});
