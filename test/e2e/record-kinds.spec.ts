import {
  conventionChecks,
  opaqueChecks,
  registryChecks,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
} from '@app/testing';
import { runChecks } from '../support/checks';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

runChecks(registryChecks(() => service, SERVICE_REGISTRY));

describe.each(SERVICE_KINDS)('a $name', (kind) => {
  runChecks(conventionChecks(() => service, kind, SERVICE_REGISTRY));
  runChecks(opaqueChecks(() => service, kind, SERVICE_REGISTRY));
});
