import type { Dose } from '@app/client';
import type { Medicine } from '@app/client/documents';
import { keptByMedicine } from './kept';

const medicine = { id: 'a' } as Medicine;
const doses: Dose[] = [];

describe('what is kept of a medicine', () => {
  it('is worked out once for each question, and anew for other doses and another medicine', () => {
    const workOut = jest.fn((of: Medicine, all: readonly Dose[], day: string) => ({ of, all, day }));
    const kept = keptByMedicine(workOut);
    const first = kept(medicine, doses, '2026-03-01');
    kept(medicine, doses, '2026-03-02');
    expect(kept(medicine, doses, '2026-03-01')).toBe(first);
    expect(workOut).toHaveBeenCalledTimes(2);
    const others: Dose[] = [];
    expect(kept(medicine, others, '2026-03-01').all).toBe(others);
    const changed = { ...medicine };
    expect(kept(changed, others, '2026-03-01').of).toBe(changed);
    expect(workOut).toHaveBeenCalledTimes(4);
  });

  it('is worked out anew after a journey', () => {
    const workOut = jest.fn(() => new Date(2026, 2, 1).getTime());
    const kept = keptByMedicine(workOut);
    kept(medicine, doses);
    const offset = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-777);
    kept(medicine, doses);
    kept(medicine, doses);
    offset.mockRestore();
    expect(workOut).toHaveBeenCalledTimes(2);
  });
});
