import {
  conventionChecks,
  hostileChecks,
  isUnderProfile,
  opaqueChecks,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
  syncChecks,
} from '@app/testing';
import { runChecks } from '../support/checks';
import { goToSpaces } from '../support/in-space';
import { type SharedService, sharedService } from '../support/service';

goToSpaces();

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

// A space has one profile: no record moves to another one.
const hasPlace = ({ name }: { name: string }) =>
  !/changes to another own profile|does not change without a new blob/.test(name);

describe.each(SERVICE_KINDS.filter((kind) => isUnderProfile(kind, SERVICE_REGISTRY)))(
  'a $name in a space',
  (kind) => {
    const checks = [conventionChecks, opaqueChecks, syncChecks, hostileChecks].flatMap((of) =>
      of(() => service, kind, SERVICE_REGISTRY),
    );
    runChecks(checks.filter(hasPlace));
  },
);
