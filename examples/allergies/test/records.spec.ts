import { serviceDataSource } from 'health-records-service';
import { findSchemaFaults } from 'health-records-service/database';
import { kindChecks, serviceChecks, SERVICE_KINDS } from 'health-records-service/testing';
import { deepEqual } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DOMAINS } from '../src/domains';
import { REGISTRY } from './registry';
import { runChecks, startService, stopServices, type TestService } from './service';

const QUOTA_RECORDS = 60;

let service: TestService;
before(async () => void (service = await startService({ QUOTA_RECORDS: String(QUOTA_RECORDS) })));
after(stopServices);

describe('the service', () => runChecks(serviceChecks(() => service, REGISTRY)));

for (const kind of REGISTRY.kinds.slice(SERVICE_KINDS.length)) {
  describe(kind.name, () => runChecks(kindChecks(() => service, kind, REGISTRY, QUOTA_RECORDS)));
}

it('the migrations make the tables that the entities describe', async () => {
  process.env.DATABASE_URL = service.databaseUrl;
  const dataSource = await serviceDataSource(DOMAINS).initialize();
  const faults = await findSchemaFaults(dataSource);
  await dataSource.destroy();
  deepEqual(faults, []);
});
