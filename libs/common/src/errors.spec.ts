import {
  defineErrors,
  ExtensionError,
  type ErrorCode,
  errorCodes,
  sentenceOf,
  SENTENCE_BY_CODE,
  ServiceError,
  STATUS_BY_CODE,
  statusOf,
} from './errors';

describe('error codes', () => {
  it('all have a status and a sentence', () => {
    expect(errorCodes()).toEqual(expect.arrayContaining(Object.keys(STATUS_BY_CODE)));
    for (const code of Object.keys(STATUS_BY_CODE) as (keyof typeof STATUS_BY_CODE)[]) {
      expect([statusOf(code), sentenceOf(code)]).toEqual([STATUS_BY_CODE[code], SENTENCE_BY_CODE[code]]);
    }
  });

  it('of a module are thrown and answered like those of the service', () => {
    const ERRORS = defineErrors({ too_many_notes: { status: 409, sentence: 'These are too many notes.' } });
    const error = new ServiceError(ERRORS.too_many_notes);
    expect(error).toMatchObject({
      code: 'too_many_notes',
      status: 409,
      message: 'These are too many notes.',
    });
    expect(errorCodes().at(-1)).toBe('too_many_notes');
    const code: ErrorCode = ERRORS.too_many_notes;
    expect(statusOf(code)).toBe(409);
  });

  it('that nobody defined cannot be thrown', () => {
    // @ts-expect-error a plain string is not a code
    const undefinedCode: ErrorCode = 'not_defined_anywhere';
    expect(() => new ServiceError(undefinedCode)).toThrow(TypeError);
  });

  it.each([
    [{ not_found: { status: 404, sentence: '' } }, 'The error code not_found exists already.'],
    [{ 'not-snake': { status: 404, sentence: '' } }, 'The error code not-snake is not in snake_case.'],
    [
      { fine_code: { status: 200, sentence: '' } },
      'The error code fine_code needs a status from 400 to 599.',
    ],
  ])('that collide or make no sense are refused: %j', (definitions, sentence) => {
    const before = errorCodes();
    expect(() => defineErrors(definitions)).toThrow(ExtensionError);
    expect(() => defineErrors(definitions)).toThrow(sentence);
    expect(errorCodes()).toEqual(before);
  });
});
