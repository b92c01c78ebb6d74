import { createDataSource } from '@app/database';
import { composeService } from '../../apps/api/src/domains';
import { aDose } from '../support/factories';
import { aHousehold } from '../support/record-kinds';
import { sql } from '../support/databases';
import { startService } from '../support/service';

describe('the migration of the proofs of doses', () => {
  it('keeps the doses and the counts of bytes, forth and back', async () => {
    const service = await startService();
    const { token, medicationId } = await aHousehold(service.api);
    const usage = async () => {
      const [row] = await sql<{ bytes: string }>(service.databaseUrl, 'SELECT bytes FROM account_usage');
      const [dose] = await sql<{ bytes: number }>(
        service.databaseUrl,
        `SELECT sum(bytes)::integer AS bytes FROM changes WHERE kind = 'dose'`,
      );
      return [Number(row.bytes), dose.bytes];
    };
    await aDose(service.api, token, medicationId, { proof: null });
    const [before] = await usage();
    await aDose(service.api, token, medicationId, { proof: 'p'.repeat(40) });
    expect(await usage()).toEqual([before + 40, 40]);
    const settings = { databasePoolSize: 2, databasePrepared: true };
    const dataSource = createDataSource(settings, service.databaseUrl, composeService().schema);
    await dataSource.initialize();
    do await dataSource.undoLastMigration({ transaction: 'each' });
    while ((await sql(service.databaseUrl, `SELECT 1 FROM migrations WHERE name LIKE 'DoseProofs%'`)).length);
    expect(await usage()).toEqual([before, 0]);
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.destroy();
    expect(await usage()).toEqual([before, 0]);
    const { body } = await service.api.get(`/api/medications/${medicationId}/log`, { token });
    expect(body).toEqual([
      expect.objectContaining({ proof: null }),
      expect.objectContaining({ proof: null }),
    ]);
    await service.stop();
  });
});
