import { instantOf } from '../../../platform/model/dates';
import { type CsvRow, readCsv, readMoment } from './csv-measurements';

const now = new Date('2026-11-22T12:00:00Z');
const read = (text: string, options: Partial<Parameters<typeof readCsv>[1]> = {}) =>
  readCsv(text, { now, ...options });
const told = ({ line, problem, reading }: CsvRow) =>
  problem ? [line, problem] : [line, reading!.details.metric, reading!.details.values, reading!.details.unit];

describe('a table of measurements', () => {
  it('has one measure a row', () => {
    const { rows, columns } = read(
      [
        'Date,Time,Measure,Value,Unit,Note',
        '2026-11-01,07:30,Weight,"72,5",kg,before breakfast',
        '2026-11-01,,Blood pressure,120/80,mmHg,',
      ].join('\r\n'),
    );
    expect(columns.every(({ column }) => column !== undefined)).toBe(true);
    expect(rows.map(told)).toEqual([
      [2, 'weight', { value: 72.5 }, 'kg'],
      [3, 'blood_pressure', { systolic: 120, diastolic: 80 }, 'mm[Hg]'],
    ]);
    expect(rows[0].reading).toMatchObject({
      recordedAt: instantOf('2026-11-01', '07:30').toISOString(),
      details: { note: 'before breakfast' },
    });
    expect(rows[1].reading!.recordedAt).toBe(instantOf('2026-11-01', '12:00').toISOString());
  });

  it('has one column a measure, with semicolons and headers in German', () => {
    const { rows } = read(
      '\uFEFFDatum;Gewicht (kg);Systolisch;Diastolisch;Größe\n1.11.2026;72,5;120;80;\n2.11.2026 8:15;;;;181\n',
    );
    expect(rows.map(told)).toEqual([
      [2, 'weight', { value: 72.5 }, 'kg'],
      [2, 'blood_pressure', { systolic: 120, diastolic: 80 }, 'mm[Hg]'],
      [3, 'height', { value: 181 }, 'cm'],
    ]);
  });

  it('takes the unit of the header, then of the person, then the first', () => {
    const { rows } = read('fecha,peso (lb),glucosa\n2026-01-02,160,99', { units: { glucose: 'mg/dL' } });
    expect(rows.map(told)).toEqual([
      [2, 'weight', { value: 160 }, '[lb_av]'],
      [2, 'glucose', { value: 99 }, 'mg/dL'],
    ]);
  });

  it('keeps a measure that it does not know as an own one', () => {
    expect(read('date,measure,value,unit\n2026-01-02,Steps,9000,steps').rows.map(told)).toEqual([
      [2, 'own:Steps', { value: 9000 }, 'steps'],
    ]);
  });

  it.each([
    [',Weight,70,kg', 'date_missing'],
    ['yesterday,Weight,70,kg', 'date_unreadable'],
    ['2026-02-30,Weight,70,kg', 'date_unreadable'],
    ['2027-02-03,Weight,70,kg', 'in_future'],
    ['2026-02-03,,70,kg', 'measure_unknown'],
    ['2026-02-03,Weight,,kg', 'value_missing'],
    ['2026-02-03,,,', 'value_missing'],
    ['2026-02-03,Weight,seventy,kg', 'not_a_number'],
    ['2026-02-03,Weight,7000,kg', 'too_high'],
    ['2026-02-03,Weight,0,kg', 'too_low'],
    ['2026-02-03,Weight,70,cm', 'unit_unknown'],
    ['2026-02-03,Blood pressure,80/120,', 'pressure_order'],
  ])('names what is wrong with %s', (row, problem) => {
    const { rows } = read(`date,measure,value,unit\n${row}\n2026-01-01,Weight,70,kg`);
    expect(rows.map(({ line, problem: named }) => [line, named])).toEqual([
      [2, problem],
      [3, undefined],
    ]);
  });

  it('refuses a half of the blood pressures', () => {
    expect(read('date,sys,dia\n2026-01-01,120,').rows.map(told)).toEqual([[2, 'not_a_number']]);
  });

  it.each([
    ['', 'empty'],
    ['\n \n', 'empty'],
    ['date,colour\n2026-01-01,blue', 'no_columns'],
    ['weight\n70', 'no_date_column'],
    [`date,weight\n${'2026-01-01,70\n'.repeat(50_001)}`, 'too_long'],
  ])('refuses a file that is no such table (%#)', (text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }));
  });

  it('finds out which number is the day, or says that it cannot', () => {
    const at = (text: string, order?: 'day-first' | 'month-first') => {
      const content = read(`date,weight\n${text}`, order ? { order } : {});
      return [content.order, content.isOrderUnclear, content.rows[0].reading?.recordedAt.slice(0, 7)];
    };
    expect(at('13/4/2026,70')).toEqual(['day-first', false, '2026-04']);
    expect(at('4/13/2026,70')).toEqual(['month-first', false, '2026-04']);
    expect(at('3/4/2026,70')).toEqual(['day-first', true, '2026-04']);
    expect(at('3/4/2026,70', 'month-first')).toEqual(['month-first', true, '2026-03']);
  });

  it.each([
    ['2026-11-01T07:30:00Z', new Date('2026-11-01T07:30:00Z')],
    ['2026-11-01 07:30:00+0200', new Date('2026-11-01T05:30:00Z')],
    ['1.2.2026, 7:05', instantOf('2026-02-01', '07:05')],
    ['1/2/2026 12:15 AM', instantOf('2026-02-01', '00:15')],
    ['1/2/2026 1:15 p.m.', instantOf('2026-02-01', '13:15')],
    ['2026-11-01 25:00', undefined],
    ['20261101', undefined],
  ])('reads the moment %s', (text, expected) => expect(readMoment(text, 'day-first')).toEqual(expected));
});
