import { expectFailure } from '@app/testing';
import { sql } from '../support/databases';
import { aDose, aMedication } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { setClock, type SharedService, sharedService } from '../support/service';

const NOW = '2026-11-20T12:00:00Z';

describe('adherence', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));
  afterEach(() => setClock(service));

  /** A medication that was entered at a given time, with functions on it; the clock stands at NOW. */
  const medicationFrom = async (createdAt: string, schedule?: object) => {
    await setClock(service, NOW);
    const { token, profileId } = await aHousehold(service.api);
    const { id } = await aMedication(service.api, token, profileId, { dose_schedule: schedule ?? null });
    await sql(service.databaseUrl, 'UPDATE medications SET created_at = $1 WHERE id = $2', [createdAt, id]);
    const log = (...doses: [loggedAt: string, taken: boolean][]) =>
      Promise.all(doses.map(([loggedAt, taken]) => aDose(service.api, token, id, { loggedAt, taken })));
    const read = (query = '') => service.api.get(`/api/medications/${id}/adherence${query}`, { token });
    const update = (body: object) => service.api.post(`/api/medications/${id}`, body, { token });
    return { id, token, log, read, update };
  };

  it('gives 66.7 for two taken and one skipped', async () => {
    const { id, log, read } = await medicationFrom('2026-01-01T00:00:00Z');
    await log(
      ['2026-11-01T08:00:00Z', true],
      ['2026-11-02T08:00:00Z', true],
      ['2026-11-03T08:00:00Z', false],
    );
    const { status, body, headers } = await read();
    expect(status).toBe(200);
    expect(headers.get('etag')).toBeNull();
    expect(body).toEqual({
      medication_id: id,
      period_days: 30,
      period_start: '2026-10-22',
      period_end: '2026-11-20',
      timezone: 'UTC',
      taken_doses: 2,
      skipped_doses: 1,
      total_logged: 3,
      scheduled_doses: null,
      missed_doses: null,
      extra_doses: null,
      adherence_rate: 66.7,
      since_start: { start: '2026-10-22', scheduled_doses: null, taken_doses: 2, adherence_rate: 66.7 },
    });
  });

  it('is null where there is nothing to divide by', async () => {
    const { read } = await medicationFrom('2026-11-20T00:00:00Z');
    const { body } = await read();
    expect(body).toMatchObject({ total_logged: 0, adherence_rate: null });
    expect(body.since_start).toEqual({
      start: '2026-11-20',
      scheduled_doses: null,
      taken_doses: 0,
      adherence_rate: null,
    });
  });

  it('lets missed doses of a schedule lower the rate', async () => {
    const { log, read } = await medicationFrom('2026-01-01T00:00:00Z', {
      times_per_day: 1,
      days_of_week: ['thu', 5],
    });
    await log(
      ['2026-11-19T08:00:00Z', true],
      ['2026-11-12T08:00:00Z', false],
      ['2026-10-30T08:00:00Z', true],
    );
    expect((await read()).body).toMatchObject({
      taken_doses: 2,
      skipped_doses: 1,
      total_logged: 3,
      scheduled_doses: 10,
      missed_doses: 7,
      extra_doses: 0,
      adherence_rate: 20,
    });
  });

  it('applies the schedule of today to the whole period, and none once it is cleared', async () => {
    const { log, read, update } = await medicationFrom('2026-01-01T00:00:00Z', { times_per_day: 1 });
    await log(['2026-11-19T08:00:00Z', true]);
    expect((await read()).body).toMatchObject({ scheduled_doses: 30, adherence_rate: 3.3 });
    await update({ dose_schedule: { times_per_day: 2 } });
    expect((await read()).body).toMatchObject({ scheduled_doses: 60, adherence_rate: 1.7 });
    await update({ dose_schedule: null });
    expect((await read()).body).toMatchObject({
      scheduled_doses: null,
      missed_doses: null,
      adherence_rate: 100,
    });
  });

  it('counts only this medication, of this account', async () => {
    const { log, read } = await medicationFrom('2026-01-01T00:00:00Z');
    await log(['2026-11-01T08:00:00Z', true]);
    const other = await medicationFrom('2026-01-01T00:00:00Z');
    await other.log(['2026-11-01T08:00:00Z', false]);
    expect((await read()).body).toMatchObject({ total_logged: 1, adherence_rate: 100 });
  });

  it('forgets a dose that is removed', async () => {
    const { id, token, log, read } = await medicationFrom('2026-01-01T00:00:00Z');
    const [, mistaken] = await log(['2026-11-01T08:00:00Z', true], ['2026-11-01T09:00:00Z', false]);
    await service.api.post(`/api/medications/${id}/log/${mistaken.id}/delete`, undefined, { token });
    expect((await read()).body).toMatchObject({ total_logged: 1, adherence_rate: 100 });
  });

  it('counts from the first instant of the first date to the last of today, in the zone that is asked for', async () => {
    const { log, read } = await medicationFrom('2026-01-01T00:00:00Z');
    // Nobody counts the first and the last; only Berlin the second (22:00Z is midnight there), only UTC the fourth.
    await log(
      ['2026-10-21T21:59:59.999Z', false],
      ['2026-10-21T22:00:00Z', true],
      ['2026-10-22T00:00:00Z', true],
    );
    expect((await read()).body).toMatchObject({ taken_doses: 1, skipped_doses: 0 });
    expect((await read('?tz=Europe/Berlin')).body).toMatchObject({
      timezone: 'Europe/Berlin',
      period_start: '2026-10-22',
      period_end: '2026-11-20',
      taken_doses: 2,
      skipped_doses: 0,
    });
    await setClock(service, '2026-11-20T23:00:00Z');
    await log(['2026-11-20T23:00:00Z', true]);
    expect((await read()).body).toMatchObject({ period_end: '2026-11-20', taken_doses: 2 });
    // In Berlin it is the 21st: the first two are out of the period, midnight there being 22:00Z.
    expect((await read('?tz=Europe/Berlin')).body).toMatchObject({
      period_start: '2026-10-23',
      period_end: '2026-11-21',
      taken_doses: 1,
    });
  });

  it('puts a dose on its local date also on the day that lasts 25 hours', async () => {
    // Berlin's 25 October 2026: 23 hours 30 minutes after its midnight it is still that date.
    const { log, read } = await medicationFrom('2026-10-25T22:30:00Z', { times_per_day: 1 });
    await log(['2026-10-25T22:30:00Z', true]);
    expect((await read('?tz=Europe/Berlin')).body.since_start).toMatchObject({
      start: '2026-10-25',
      scheduled_doses: 27,
      taken_doses: 1,
    });
  });

  it('does not show a medication entered yesterday as missed for a month', async () => {
    const { log, read } = await medicationFrom('2026-11-19T07:00:00Z', { times_per_day: 1 });
    await log(['2026-11-19T08:00:00Z', true], ['2026-11-20T08:00:00Z', true]);
    const { body } = await read();
    expect(body).toMatchObject({ scheduled_doses: 30, adherence_rate: 6.7 });
    expect(body.since_start).toEqual({
      start: '2026-11-19',
      scheduled_doses: 2,
      taken_doses: 2,
      adherence_rate: 100,
    });
  });

  describe('since the start', () => {
    const at = (day: string) => `2026-${day}T12:00:00Z`;

    it.each([
      ['the period’s start, for an old medication', at('01-01'), undefined, null, '2026-10-22'],
      ['the creation', at('11-10'), undefined, null, '2026-11-10'],
      ['the first log, where that is earlier', at('11-10'), at('11-05'), null, '2026-11-05'],
      ['the creation, where the first log is later', at('11-10'), at('11-12'), null, '2026-11-10'],
      ['the period’s start, where a log is older', at('11-10'), at('01-01'), null, '2026-10-22'],
      ['the last change of the schedule', at('11-10'), at('11-05'), at('11-15'), '2026-11-15'],
      ['the last change, for an old medication', at('01-01'), at('01-02'), at('11-15'), '2026-11-15'],
      ['the creation, where the schedule changed before', at('11-10'), undefined, at('11-01'), '2026-11-10'],
      ['the period’s start, where all is older', at('01-01'), at('01-02'), at('01-03'), '2026-10-22'],
      ['today, where the clock was behind', at('11-22'), undefined, null, '2026-11-20'],
    ])('counts from %s', async (_, createdAt, firstLogAt, scheduleChangedAt, start) => {
      const { id, log, read } = await medicationFrom(createdAt, { times_per_day: 1 });
      if (firstLogAt) await log([firstLogAt, true]);
      await sql(service.databaseUrl, 'UPDATE medications SET schedule_changed_at = $1 WHERE id = $2', [
        scheduleChangedAt,
        id,
      ]);
      expect((await read()).body.since_start.start).toBe(start);
    });

    it('counts what was due and logged from that date on, also what was logged before the hour of the start', async () => {
      const { id, log, read } = await medicationFrom('2026-11-01T07:00:00Z');
      await log(
        ['2026-11-18T23:59:59.999Z', true],
        ['2026-11-19T00:00:00Z', true],
        ['2026-11-19T08:00:00Z', true],
        ['2026-11-20T08:00:00Z', false],
      );
      await sql(service.databaseUrl, 'UPDATE medications SET schedule_changed_at = $1 WHERE id = $2', [
        at('11-19'),
        id,
      ]);
      const { body } = await read();
      expect(body).toMatchObject({ taken_doses: 3, skipped_doses: 1, adherence_rate: 75 });
      expect(body.since_start).toEqual({
        start: '2026-11-19',
        scheduled_doses: null,
        taken_doses: 2,
        adherence_rate: 66.7,
      });
    });

    it('begins with a local date', async () => {
      const { read } = await medicationFrom('2026-11-18T23:30:00Z', { times_per_day: 1 });
      const startIn = async (zone: string) => (await read(`?tz=${zone}`)).body.since_start;
      expect(await startIn('America/New_York')).toMatchObject({ start: '2026-11-18', scheduled_doses: 3 });
      expect(await startIn('Asia/Tokyo')).toMatchObject({ start: '2026-11-19', scheduled_doses: 2 });
    });
  });

  it('starts anew with a change of the schedule, and with no other change', async () => {
    const { id, read, update } = await medicationFrom('2026-11-01T07:00:00Z', { times_per_day: 1 });
    const startIs = async () => (await read()).body.since_start.start;
    await update({ route: 'nasal' });
    await update({ dose_schedule: { times_per_day: 1 } });
    expect(await startIs()).toBe('2026-11-01');
    await update({ dose_schedule: { times_per_day: 2 } });
    const changedAt = async (time: string) =>
      sql(
        service.databaseUrl,
        'UPDATE medications SET schedule_changed_at = $1 WHERE id = $2 AND schedule_changed_at IS NOT NULL',
        [time, id],
      );
    await changedAt('2026-11-15T07:00:00Z');
    expect(await startIs()).toBe('2026-11-15');
  });

  it.each(['Mars/Olympus', '', '%2B01:00', 'UTC%00', 'Europe/Paris%20', 'a'.repeat(200)])(
    'refuses the zone %p',
    async (tz) => {
      const { read } = await medicationFrom('2026-01-01T00:00:00Z');
      expectFailure(await read(`?tz=${tz}`), 'validation_failed', 'tz');
    },
  );

  it('refuses a zone that is given twice, and a parameter of lists', async () => {
    const { read } = await medicationFrom('2026-01-01T00:00:00Z');
    expectFailure(await read('?tz=UTC&tz=UTC'), 'validation_failed', 'tz');
    expectFailure(await read('?limit=1'), 'validation_failed', 'limit');
  });
});
