import { deepEqual } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  aHousehold,
  aRecord,
  createRecord,
  faultsOf,
  listRecords,
  updateRecord,
} from 'health-records-service/testing';
import { REGISTRY } from './registry';
import { startService, stopServices, type TestService } from './service';

const ALLERGY = REGISTRY.kinds.find(({ name }) => name === 'allergy')!;

describe('allergies', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ ALLERGY_STATUSES: 'active,doubtful,outgrown' });
  });
  after(stopServices);

  const aHome = () => aHousehold(service.api, REGISTRY);

  it('are answered as they were sent', async () => {
    const home = await aHome();
    const sent = ALLERGY.body(home);
    const created = await aRecord(service.api, ALLERGY, home, sent);
    for (const [field, value] of Object.entries(sent)) deepEqual(created[field], value);
    deepEqual(await listRecords(service.api, ALLERGY, home), [created]);
  });

  it('are filtered by status', async () => {
    const home = await aHome();
    const { id } = await aRecord(service.api, ALLERGY, home, { status: 'doubtful' });
    await aRecord(service.api, ALLERGY, home, { status: 'active' });
    const found = await listRecords(service.api, ALLERGY, home, '?status=doubtful');
    deepEqual(
      found.map((each) => each.id),
      [id],
    );
  });

  it('are refused with a status that the setting does not name', async () => {
    const home = await aHome();
    const body = { ...ALLERGY.body(home), status: 'guessed' };
    const refused = await createRecord(service.api, ALLERGY, home, body);
    deepEqual([refused.status, refused.body.code], [400, 'allergy_status_unknown']);
    deepEqual(faultsOf(refused, REGISTRY.codes), []);
    const { id } = await aRecord(service.api, ALLERGY, home);
    const change = { status: 'guessed' };
    deepEqual(
      (await updateRecord(service.api, ALLERGY, home, id, change)).body.code,
      'allergy_status_unknown',
    );
  });

  it('do not come back once they are outgrown, also where two requests come at once', async () => {
    const home = await aHome();
    const { id } = await aRecord(service.api, ALLERGY, home, { status: 'active' });
    const change = (status: string) => updateRecord(service.api, ALLERGY, home, id, { status });
    await Promise.all(['outgrown', 'doubtful', 'outgrown', 'active'].map(change));
    deepEqual((await change('outgrown')).status, 200);
    const refused = await change('active');
    deepEqual([refused.status, refused.body.code], [409, 'allergy_outgrown']);
    // Everything else can still be changed.
    deepEqual((await updateRecord(service.api, ALLERGY, home, id, ALLERGY.update!.change())).status, 200);
  });
});
