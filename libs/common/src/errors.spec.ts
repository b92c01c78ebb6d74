import {
  defineErrors,
  ExtensionError,
  type ErrorCode,
  errorCodes,
  sentenceOf,
  ServiceError,
  statusOf,
} from './errors';

describe('error codes', () => {
  it('all have a status and a sentence', () => {
    const codes = errorCodes() as ErrorCode[];
    expect(codes).toEqual(expect.arrayContaining(['validation_failed', 'not_found', 'read_only']));
    expect([statusOf('not_found'), sentenceOf('not_found')]).toEqual([
      404,
      'There is nothing here under this address.',
    ]);
    for (const code of codes) {
      expect([code, statusOf(code) >= 400 && statusOf(code) < 600]).toEqual([code, true]);
      expect([code, sentenceOf(code)]).toEqual([code, expect.stringMatching(/^[A-Z].*\.$/)]);
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
