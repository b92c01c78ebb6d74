import {
  conventionChecks,
  opaqueChecks,
  registryChecks,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
} from '@app/testing';
import { runChecks } from '../support/checks';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

runChecks(registryChecks(() => service, SERVICE_REGISTRY));

describe.each(SERVICE_KINDS)('a $name', (kind) => {
  runChecks(conventionChecks(() => service, kind, SERVICE_REGISTRY));
  runChecks(opaqueChecks(() => service, kind, SERVICE_REGISTRY));
});
