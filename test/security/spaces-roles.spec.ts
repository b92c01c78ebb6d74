import { SERVICE_REGISTRY, spaceChecks } from '@app/testing';
import { runChecks } from '../support/checks';
import { type SharedService, sharedService } from '../support/service';

describe('attack 2: every route, for every role', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  runChecks(spaceChecks(() => service, SERVICE_REGISTRY));
});
