/** What a section of a label is about. Labels of one authority have the same sections. */
export const LABEL_TOPICS = [
  'contraindication',
  'interaction',
  'dose',
  'warning',
  'pregnancy',
  'breastfeeding',
  'children',
  'older_people',
  'kidneys',
] as const;

export type LabelTopic = (typeof LABEL_TOPICS)[number];
