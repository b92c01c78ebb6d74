import { instantOf } from '../../../platform/model/dates';
import { draftOf, newDraft, readDraft, withOffset } from './visit-draft';

const now = new Date(2026, 10, 22, 14, 5);
const filled = { ...newDraft('visit', 'p', now), title: ' Eyes ', date: '2026-12-03', time: '09:30' };

describe('the form of a visit', () => {
  it('begins with a visit tomorrow, or a vaccination that was just given', () => {
    expect(newDraft('visit', 'p', now)).toMatchObject({
      date: '2026-11-23',
      time: '09:00',
      status: 'scheduled',
    });
    expect(newDraft('vaccination', 'p', now)).toMatchObject({
      date: '2026-11-22',
      time: '14:05',
      status: 'completed',
    });
  });

  it('keeps the instant, with an offset', () => {
    const { visit } = readDraft(filled);
    expect(visit!.details.startsAt).toMatch(/^2026-12-03T09:30:00[+-]\d\d:\d\d$/);
    expect(new Date(visit!.details.startsAt)).toEqual(instantOf('2026-12-03', '09:30'));
    expect(withOffset(instantOf('2026-07-01', '00:00'))).toMatch(/^2026-07-01T00:00:00/);
  });

  it('gives the same fields back', () => {
    const draft = {
      ...filled,
      type: 'vaccination' as const,
      title: 'Rabies',
      lot: 'A7',
      nextDue: '2027-12-03',
      minutes: '20',
    };
    const visit = {
      ...readDraft(draft).visit!,
      id: 'v',
      revision: 1,
      createdAt: '',
      updatedAt: '',
      altered: [],
      lineage: { generation: 1, previous: null, state: '' },
    };
    expect(draftOf(visit)).toEqual(draft);
  });

  it.each([
    [{ title: ' ' }, { title: 'needTitle' }],
    [{ date: '' }, { date: 'needDate' }],
    [{ time: '' }, { date: 'needDate' }],
    [{ minutes: '0' }, { minutes: 'badMinutes' }],
    [{ minutes: '1.5' }, { minutes: 'badMinutes' }],
    [{ type: 'vaccination' as const, nextDue: '2026-12-03' }, { nextDue: 'dueBefore' }],
    [{ nextDue: 'never' }, {}],
  ])('names what is wrong with %j', (part, problems) => {
    expect(readDraft({ ...filled, ...part }).problems).toEqual(problems);
  });
});
