import { aBeginning, Api, type CallOptions, idOfAccount } from '@app/testing';

/** What goes to the space of the sender. */
const RECORDS = /^\/api\/(medications|appointments|health-stats|profiles|sync|users\/me\/usage)\b/;
/** What makes a further profile, which is not in the space. */
const isCreate = (method: string, path: string) => method === 'POST' && path === '/api/profiles';

interface Shared {
  spaceId: string;
  profileId: string;
}

/** The profiles that are shared, by the token of their owner. */
const shared = new Map<string, Shared>();
let isOn = false;

/**
 * From now on, the first profile of each account is shared as soon as it is there, and the requests of that account go to
 * its space. The same tests then say the same of a space. It lasts for the file of tests that calls it.
 */
export function goToSpaces(): void {
  if (isOn) return;
  isOn = true;
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { call } = Api.prototype;
  const share = async (api: Api, profileId: string, options: CallOptions) => {
    const beginning = aBeginning(profileId);
    const begun = await call.call(api, 'POST', '/api/spaces', beginning, options);
    if (begun.status === 201) shared.set(options.token!, { spaceId: beginning.space_id, profileId });
    return begun;
  };
  Api.prototype.call = async function (method, path, body, options = {}) {
    const { token = '', headers } = options;
    const inSpace = { ...options, headers: { ...spaceHeader(token, method, path), ...headers } };
    const answer = await call.call(this, method, path, body, inSpace);
    const isFirst = isCreate(method, path) && !shared.has(token);
    if (!isFirst || answer.status !== 201) return answer;
    const begun = await share(this, answer.body.profile_id as string, options);
    return begun.status === 201 ? answer : begun;
  };
}

/** The headers of a request that a test sends by itself: the token, and the space if there is one. */
export function headersOf(token: string, path: string, method = 'GET'): Record<string, string> {
  return { Authorization: `Bearer ${token}`, ...spaceHeader(token, method, path) };
}

/** The id of the account, or of the space, that holds the records which this token reaches. */
export function holderOf(token: string): string {
  return shared.get(token)?.spaceId ?? idOfAccount({ token });
}

/** Nobody joins these spaces, so their version stays 0. Another profile of the account is not there. */
function spaceHeader(token: string, method: string, path: string): Record<string, string> {
  const space = shared.get(token);
  const profile = /^\/api\/profiles\/([^/]+)/.exec(path)?.[1] ?? space?.profileId;
  const isThere = space && RECORDS.test(path) && !isCreate(method, path) && profile === space.profileId;
  return isThere ? { 'Health-Space': `${space.spaceId};0` } : {};
}
