import { clientBytesV1, createDataSource } from '@app/database';
import type { DataSource } from 'typeorm';
import { composeService } from '../../apps/api/src/domains';
import { aBlob, anAccount, aProfile } from '../support/factories';
import { sql } from '../support/databases';
import { startService, type TestService } from '../support/service';

const BEFORE = ['kind', 'relationship', 'wrapped_profile_dek', 'name_data'];
const CHANGE = clientBytesV1({
  table: 'profiles',
  kind: 'profile',
  before: BEFORE,
  after: [...BEFORE, 'wrapped_profile_dek_iv', 'name_iv'],
});

describe('a migration by which more columns count', () => {
  let service: TestService;
  let dataSource: DataSource;
  beforeAll(async () => {
    service = await startService();
    const settings = { databasePoolSize: 2, databasePrepared: true };
    dataSource = createDataSource(settings, service.databaseUrl, composeService().schema);
    await dataSource.initialize();
    // The service's own migrations count all columns.
    await run('revert');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await service.stop();
  });

  const run = async (name: 'apply' | 'revert') => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await CHANGE[name](runner);
    await runner.commitTransaction();
    await runner.release();
  };
  const bytes = async () =>
    (await sql<{ bytes: string }>(service.databaseUrl, 'SELECT bytes FROM account_usage ORDER BY 1')).map(
      (row) => Number(row.bytes),
    );

  it('counts those of the rows that are there, then those that come, and can be taken back', async () => {
    const { token } = await anAccount(service.api);
    const profile = { wrapped_profile_dek: 'x'.repeat(10), name_data: aBlob(), name_iv: 'y'.repeat(7) };
    const create = () => aProfile(service.api, token, { ...profile, wrapped_profile_dek_iv: 'z'.repeat(5) });
    const { token: other } = await anAccount(service.api);
    await aProfile(service.api, other, { wrapped_profile_dek: 'x', wrapped_profile_dek_iv: '' });
    await create();
    const [least, before] = await bytes();
    await run('apply');
    expect(await bytes()).toEqual([least, before + 12]);
    const id = await create();
    expect(await bytes()).toEqual([least, 2 * (before + 12)]);
    await service.api.put(`/api/profiles/${id}`, { name_data: aBlob(), name_iv: 'y' }, { token });
    expect(await bytes()).toEqual([least, 2 * (before + 12) - 6]);
    await run('revert');
    expect(await bytes()).toEqual([least, 2 * before]);
    await service.api.delete(`/api/profiles/${id}`, undefined, { token });
    expect(await bytes()).toEqual([least, before]);
  });
});
