import { addMonths, dueVaccinations, vaccinationOf, type VisitRecord } from './vaccinations';

const given = (
  id: string,
  vaccine: string,
  on: string,
  nextDue?: string,
  status = 'completed',
): VisitRecord => ({
  id,
  status,
  details: {
    type: 'vaccination',
    title: vaccine,
    vaccine,
    startsAt: `${on}T09:00:00Z`,
    ...(nextDue && { nextDue }),
  },
});

describe('vaccinations', () => {
  it('are completed visits of that type, with a date', () => {
    expect(vaccinationOf(given('a', 'Rabies', '2025-05-01', '2026-05-01'))).toEqual({
      id: 'a',
      vaccine: 'Rabies',
      givenOn: '2025-05-01',
      nextDue: '2026-05-01',
    });
    expect(vaccinationOf(given('a', 'Rabies', '2025-05-01', undefined, 'scheduled'))).toBeUndefined();
    const { details } = given('a', 'Rabies', '2025-05-01');
    expect(
      vaccinationOf({ id: 'a', status: 'completed', details: { ...details, type: 'visit' } }),
    ).toBeUndefined();
    expect(
      vaccinationOf({ ...given('a', 'x', '2025-05-01'), details: { type: 'vaccination', title: 'x' } }),
    ).toBeUndefined();
  });

  it('are due by the latest of each vaccine, the most urgent first', () => {
    const visits = [
      given('1', 'Tetanus', '2015-03-01', '2025-03-01'),
      given('2', 'tétanus', '2024-03-01', '2034-03-01'),
      given('3', 'Rabies', '2024-01-01', '2026-11-01'),
      given('4', 'Flu', '2025-12-01', '2026-12-01'),
      given('5', 'Measles', '1990-01-01'),
    ];
    expect(dueVaccinations(visits, '2026-11-22').map(({ id, state, inDays }) => [id, state, inDays])).toEqual(
      [
        ['3', 'overdue', -21],
        ['4', 'soon', 9],
        ['2', 'later', 2656],
        ['5', 'done', undefined],
      ],
    );
  });

  it.each([
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-11-22', 36, '2029-11-22'],
    ['2026-12-15', 1, '2027-01-15'],
  ])('%s and %d months: %s', (date, months, expected) => expect(addMonths(date, months)).toBe(expected));
});
