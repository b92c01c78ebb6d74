import { CheckedField, type FieldOptions } from '@app/http';

const MAX_NAMES = 100;
export const MAX_MEDICINE_NAME_LENGTH = 200;

/** A list of medication names as a person writes them: 0 to 100, each 1 to 200 characters. */
export function NameListField(options: FieldOptions): PropertyDecorator {
  const rule = `must be a list of at most ${MAX_NAMES} names of 1 to ${MAX_MEDICINE_NAME_LENGTH} characters each`;
  const isList = (value: unknown) => Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName);
  return CheckedField(options, 'nameList', rule, isList, {
    type: [String],
    maxItems: MAX_NAMES,
    items: { type: 'string', minLength: 1, maxLength: MAX_MEDICINE_NAME_LENGTH },
    example: ['warfarin', 'ibuprofen 400 mg'],
  });
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && [...value].length <= MAX_MEDICINE_NAME_LENGTH;
}
