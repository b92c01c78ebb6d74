import type { Dose } from '@app/client';
import type { Medicine } from '@app/client/documents';
import { MOST_TIMES, planOf, REPEAT_MS, type Said, turnOf } from './reminder-plan';

const at = (time: string, day = '2026-03-10') => new Date(`${day}T${time}:00`);
const NOON = at('12:00');

function medicine(id: string, times: string[], asNeeded = false): Medicine {
  return {
    id,
    createdAt: at('00:00', '2026-03-01').toISOString(),
    details: { name: 'Secretol', schedule: { times, asNeeded }, startDate: '2026-03-01' },
  } as unknown as Medicine;
}
const taken = (medicationId: string, when: Date) =>
  ({ id: `d${when.getTime()}`, medicationId, taken: true, loggedAt: when.toISOString() }) as Dose;

describe('the plan', () => {
  it('holds the open doses of today and tomorrow, later where they were put off, and no name', () => {
    const doses = [taken('a', at('08:05'))];
    const put = { 'a 2026-03-10 20:00': at('20:30').getTime() };
    const plan = planOf([medicine('a', ['08:00', '20:00']), medicine('b', [], true)], () => doses, NOON, put);
    expect(plan).toEqual([
      { key: 'a 2026-03-10 20:00', at: at('20:30').getTime() },
      { key: 'a 2026-03-11 08:00', at: at('08:00', '2026-03-11').getTime() },
      { key: 'a 2026-03-11 20:00', at: at('20:00', '2026-03-11').getTime() },
    ]);
    expect(JSON.stringify(plan)).not.toContain('Secretol');
  });
});

describe('what to say', () => {
  const plan = [{ key: 'a', at: 1000 }];

  /** The times at which it is said when somebody looks every half minute. */
  function timesSaid(until: number, repeats = true): number[] {
    let said: ReadonlyMap<string, Said> = new Map();
    const times: number[] = [];
    for (let now = 0; now <= until; now += 30_000) {
      const turn = turnOf(plan, said, now, repeats);
      said = turn.said;
      if (turn.say.length > 0) times.push(now);
    }
    return times;
  }

  it('says a due dose at once, then every ten minutes, up to a bound', () => {
    const times = timesSaid(86_000_000);
    expect(times[0]).toBe(30_000);
    expect(times.map((time) => (time - 30_000) / REPEAT_MS)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(times).toHaveLength(MOST_TIMES);
    expect(timesSaid(86_000_000, false)).toHaveLength(1);
  });

  it('says nothing before its time, and nothing once it is answered', () => {
    expect(turnOf(plan, new Map(), 999)).toEqual({ due: [], say: [], said: new Map() });
    const { said } = turnOf(plan, new Map(), 1000);
    expect(turnOf([], said, 1000 + REPEAT_MS)).toEqual({ due: [], say: [], said: new Map() });
  });

  it('begins anew for a dose that was put off', () => {
    let said: ReadonlyMap<string, Said> = new Map([['a', { times: MOST_TIMES, at: 1000 }]]);
    said = turnOf([{ key: 'a', at: 9_000_000 }], said, 8_000_000).said;
    expect(turnOf([{ key: 'a', at: 9_000_000 }], said, 9_000_000).say).toEqual(['a']);
  });

  it('leaves what is a day old to the history', () => {
    expect(turnOf(plan, new Map(), 1000 + 86_400_000).due).toEqual([]);
  });
});
