import { ServiceError } from '@app/common';
import { parseIfMatch } from './if-match';

describe('parseIfMatch', () => {
  it('demands nothing without a header', () => {
    expect(parseIfMatch(undefined)).toBeUndefined();
  });

  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"3"', ['3']],
    ['"999999999"', ['999999999']],
    ['W/"3"', ['3']],
    ['"1", "2"', ['1', '2']],
    ['"1","2" ,\t"3"', ['1', '2', '3']],
    ['W/"1", "2"', ['1', '2']],
    [', "1", , "2",', ['1', '2']],
    ['"3-9f1c2ab04d7e"', ['3-9f1c2ab04d7e']],
    ['W/"3-9f1c2ab04d7e", "2"', ['3-9f1c2ab04d7e', '2']],
  ])('reads %j', (header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  it.each([
    '"0"',
    '"-1"',
    '"03"',
    '"1.0"',
    '"1e3"',
    '"9999999999"',
    '""',
    '"abc"',
    '"a,b"',
    '"1!"',
    '"1-"',
    '"1-xyz"',
    '"-9f1c2ab04d7e"',
    '"1-9f-1c"',
    '"\u00e9"',
  ])('takes %j for the tag of another server, which no record has', (header) => {
    expect(parseIfMatch(header)).toEqual([]);
    expect(parseIfMatch(`"7", ${header}`)).toEqual(['7']);
  });

  it.each([
    '',
    ' ',
    ',',
    ', ,',
    '3',
    "'3'",
    '"3',
    '3"',
    '"3" "4"',
    '"3"4',
    'w/"3"',
    'W/3',
    'W/ "3"',
    '*, "3"',
    '"3", *',
    '"3;"x',
    '"a b"',
  ])('refuses %j as malformed, and names the header', (header) => {
    let thrown: unknown;
    try {
      parseIfMatch(header);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    expect(thrown).toMatchObject({
      code: 'validation_failed',
      status: 400,
      details: [{ field: 'If-Match' }],
    });
  });

  it('needs time that grows with the header, not with its square', () => {
    const started = performance.now();
    expect(() => parseIfMatch(`"1"${' ,'.repeat(100_000)} x`)).toThrow(ServiceError);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('judges each header for itself, whatever came before', () => {
    expect(() => parseIfMatch('"1", x')).toThrow(ServiceError);
    expect(parseIfMatch('"2"')).toEqual(['2']);
  });
});
