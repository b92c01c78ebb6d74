import { OutageLog } from './outage-log';

describe('the log of an outage', () => {
  it('has a line a second for each kind, which counts the others', () => {
    let now = 0;
    const log = new OutageLog(() => now);
    expect(log.leftOut('database_unavailable ECONNREFUSED')).toBe(0);
    for (let count = 0; count < 500; count++)
      expect(log.leftOut('database_unavailable ECONNREFUSED')).toBeUndefined();
    expect(log.leftOut('overloaded 55P03')).toBe(0);
    now = 1_000;
    expect(log.leftOut('database_unavailable ECONNREFUSED')).toBe(500);
    expect(log.leftOut('database_unavailable ECONNREFUSED')).toBeUndefined();
  });
});
