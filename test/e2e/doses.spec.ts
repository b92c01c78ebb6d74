import { randomUUID } from 'node:crypto';
import { expectFailure } from '@app/testing';
import { aDose, aMedication } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { setClock, type SharedService, sharedService } from '../support/service';

describe('doses', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));
  afterEach(() => setClock(service));

  const log = (medicationId: string, body: unknown, token: string) =>
    service.api.post(`/api/medications/${medicationId}/log`, body, { token });
  const list = async (medicationId: string, token: string) =>
    (await service.api.get(`/api/medications/${medicationId}/log`, { token })).body;

  it.each([true, false])('are logged with taken %p, and now by default', async (taken) => {
    const { token, medicationId } = await aHousehold(service.api);
    await setClock(service, '2026-05-01T08:00:00.123Z');
    const { status, body, headers } = await log(medicationId, { taken }, token);
    expect(status).toBe(201);
    expect(headers.get('etag')).toBeNull();
    expect(body).toEqual({
      id: expect.any(String),
      medication_id: medicationId,
      taken,
      loggedAt: '2026-05-01T08:00:00.123Z',
      proof: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await list(medicationId, token)).toEqual([body]);
  });

  it.each([
    ['now', '2026-05-01T08:00:00.000Z'],
    ['five minutes ahead, to the millisecond', '2026-05-01T08:05:00.000Z'],
    ['five minutes ahead in another zone', '2026-05-01T10:05:00+02:00'],
    ['last year', '2025-05-01T08:00:00.000Z'],
    ['long ago', '1970-01-01T00:00:00.000Z'],
  ])('may be logged for %s', async (_, loggedAt) => {
    const { token, medicationId } = await aHousehold(service.api);
    await setClock(service, '2026-05-01T08:00:00Z');
    const { status, body } = await log(medicationId, { taken: true, loggedAt }, token);
    expect([status, body.loggedAt]).toEqual([201, new Date(loggedAt).toISOString()]);
  });

  it.each([
    '2026-05-01T08:05:00.001Z',
    '2026-05-01T08:05:00.001',
    '2026-05-01T07:06:00-01:00',
    '9999-12-31T23:59:59Z',
  ])('are refused more than five minutes ahead: %s', async (loggedAt) => {
    const { token, medicationId } = await aHousehold(service.api);
    await setClock(service, '2026-05-01T08:00:00Z');
    const answer = await log(medicationId, { taken: true, loggedAt }, token);
    expectFailure(answer, 'validation_failed', 'loggedAt');
    expect(await list(medicationId, token)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, 'taken'],
    ['taken as text', { taken: 'true' }, 'taken'],
    ['taken as number', { taken: 1 }, 'taken'],
    ['taken as null', { taken: null }, 'taken'],
    ['loggedAt as null', { taken: true, loggedAt: null }, 'loggedAt'],
    ['loggedAt as number', { taken: true, loggedAt: 1_700_000_000 }, 'loggedAt'],
    ['loggedAt in snake case', { taken: true, logged_at: '2026-05-01T08:00:00Z' }, 'logged_at'],
    ['another medication', { taken: true, medication_id: randomUUID() }, 'medication_id'],
    ['an empty proof', { taken: true, proof: '' }, 'proof'],
    ['a proof of 257 characters', { taken: true, proof: 'p'.repeat(257) }, 'proof'],
    ['a proof that is no text', { taken: true, proof: { mac: 'x' } }, 'proof'],
    ['a proof as number', { taken: true, proof: 1 }, 'proof'],
    ['a note', { taken: true, note: 'x' }, 'note'],
  ])('are refused with %s', async (_, body, field) => {
    const { token, medicationId } = await aHousehold(service.api);
    expectFailure(await log(medicationId, body, token), 'validation_failed', field);
    expect(await list(medicationId, token)).toEqual([]);
  });

  it.each([['p'.repeat(256)], ['é "+/='], [' spaces '], [null]])(
    'keep the proof as it is sent, in the answer, the list and the feed: %j',
    async (proof) => {
      const { token, medicationId } = await aHousehold(service.api);
      const { status, body } = await log(medicationId, { taken: true, proof }, token);
      expect([status, body.proof]).toEqual([201, proof]);
      expect(await list(medicationId, token)).toEqual([body]);
      const { changes } = (await service.api.get('/api/sync', { token })).body;
      expect(changes).toContainEqual({ kind: 'dose', id: body.id, record: body });
    },
  );

  it('count twice where two are logged at once without a key', async () => {
    const { token, medicationId } = await aHousehold(service.api);
    const dose = { taken: true, loggedAt: '2026-05-01T08:00:00Z' };
    const answers = await Promise.all([log(medicationId, dose, token), log(medicationId, dose, token)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await list(medicationId, token)).toHaveLength(2);
  });

  it('are listed by the time they are for, newest first, each medication’s apart', async () => {
    const { token, profileId, medicationId } = await aHousehold(service.api);
    const other = await aMedication(service.api, token, profileId);
    const loggedAt = (day: number) => ({ loggedAt: `2026-05-0${day}T08:00:00Z` });
    const [second, third, first] = [
      await aDose(service.api, token, medicationId, loggedAt(2)),
      await aDose(service.api, token, medicationId, loggedAt(3)),
      await aDose(service.api, token, medicationId, loggedAt(1)),
    ];
    const beside = await aDose(service.api, token, other.id, loggedAt(2));
    expect(await list(medicationId, token)).toEqual([third, second, first]);
    expect(await list(other.id, token)).toEqual([beside]);
  });

  it('are removed one by one, since a mistaken tap must be reversible', async () => {
    const { token, medicationId } = await aHousehold(service.api);
    const [kept, mistaken] = [
      await aDose(service.api, token, medicationId),
      await aDose(service.api, token, medicationId),
    ];
    const path = `/api/medications/${medicationId}/log/${mistaken.id}/delete`;
    const deleted = await service.api.post(path, undefined, { token });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await list(medicationId, token)).toEqual([kept]);
    expectFailure(await service.api.post(path, {}, { token }), 'not_found');
    const withField = path.replace(mistaken.id, kept.id);
    expectFailure(await service.api.post(withField, { why: 'x' }, { token }), 'validation_failed', 'why');
    expect(await list(medicationId, token)).toEqual([kept]);
  });

  it('are the same 404 under what is malformed, unknown, deleted, of another medication or another account', async () => {
    const { token, profileId, medicationId } = await aHousehold(service.api);
    const dose = await aDose(service.api, token, medicationId);
    const beside = await aMedication(service.api, token, profileId);
    const deleted = await aMedication(service.api, token, profileId);
    await service.api.post(`/api/medications/${deleted.id}/delete`, undefined, { token });
    const foreign = await aHousehold(service.api);
    const foreignDose = await aDose(service.api, foreign.token, foreign.medicationId);
    for (const medication of ['1', '%00', randomUUID(), deleted.id, foreign.medicationId]) {
      const path = `/api/medications/${medication}`;
      expectFailure(await log(medication, { taken: true }, token), 'not_found');
      expectFailure(await service.api.get(`${path}/log`, { token }), 'not_found');
      expectFailure(await service.api.get(`${path}/adherence`, { token }), 'not_found');
      expectFailure(
        await service.api.post(`${path}/log/${dose.id}/delete`, undefined, { token }),
        'not_found',
      );
    }
    for (const [medication, id] of [
      [beside.id, dose.id],
      [medicationId, 'x'],
      [medicationId, randomUUID()],
      [medicationId, foreignDose.id],
      [foreign.medicationId, foreignDose.id],
    ]) {
      const path = `/api/medications/${medication}/log/${id}/delete`;
      expectFailure(await service.api.post(path, undefined, { token }), 'not_found');
    }
    expect(await list(medicationId, token)).toEqual([dose]);
    expect(await list(foreign.medicationId, foreign.token)).toEqual([foreignDose]);
  });

  it('have no item route: a dose is read in its list', async () => {
    const { token, medicationId } = await aHousehold(service.api);
    const { id } = await aDose(service.api, token, medicationId);
    expectFailure(
      await service.api.get(`/api/medications/${medicationId}/log/${id}`, { token }),
      'not_found',
    );
  });
});
