import {
  aBeginning,
  type Answer,
  Api,
  type CallOptions,
  conventionChecks,
  isUnderProfile,
  opaqueChecks,
  SERVICE_KINDS,
  SERVICE_REGISTRY,
  syncChecks,
} from '@app/testing';
import { runChecks } from '../support/checks';
import { type SharedService, sharedService } from '../support/service';

const IN_SPACE = /^\/api\/(medications|appointments|health-stats|sync)\b/;

/** Shares the first profile of each account as soon as it is there, and goes to its space from then on. */
class SpaceApi extends Api {
  /** By token. */
  private readonly spaces = new Map<string, string>();

  override async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { token = '' } = options;
    const space = this.spaces.get(token);
    if (space !== undefined && IN_SPACE.test(path)) {
      const headers = { 'Health-Space': `${space};0`, ...options.headers };
      return super.call(method, path, body, { ...options, headers });
    }
    const answer = await super.call(method, path, body, options);
    if (space === undefined && method === 'POST' && path === '/api/profiles' && answer.status === 201) {
      const beginning = aBeginning(answer.body.profile_id);
      const { status } = await super.call('POST', '/api/spaces', beginning, { token });
      expect(status).toBe(201);
      this.spaces.set(token, beginning.space_id);
    }
    return answer;
  }
}

let service: SharedService;
beforeAll(async () => {
  const { api, databaseUrl } = await sharedService();
  service = { api: new SpaceApi(api.url), databaseUrl };
});

// A space has one profile: no record moves to another one.
const hasPlace = ({ name }: { name: string }) =>
  !/changes to another own profile|does not change without a new blob/.test(name);

describe.each(SERVICE_KINDS.filter((kind) => isUnderProfile(kind, SERVICE_REGISTRY)))(
  'a $name in a space',
  (kind) => {
    const checks = [conventionChecks, opaqueChecks, syncChecks].flatMap((of) =>
      of(() => service, kind, SERVICE_REGISTRY),
    );
    runChecks(checks.filter(hasPlace));
  },
);
