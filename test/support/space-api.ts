import { aBeginning, type Answer, Api, type CallOptions } from '@app/testing';

/** What goes to the space. The profile itself is asked for in both: it is elsewhere than the others of the account. */
const IN_SPACE = /^\/api\/(medications|appointments|health-stats|sync|users\/me\/usage)\b/;

/** Shares the first profile of each account as soon as it is there, and goes to its space from then on. */
export class SpaceApi extends Api {
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
      if (status !== 201) throw new Error(`/api/spaces answered ${status}`);
      this.spaces.set(token, beginning.space_id);
    }
    return answer;
  }
}
