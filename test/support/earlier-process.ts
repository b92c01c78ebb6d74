import type { Proxy, ProxiedRequest } from './proxy';

/** What a process of before shared profiles has no route for. */
const ROUTES = /^\/api\/(spaces?|invitations)(\/|$)|^\/api\/users\/me\/keys$/;

/**
 * Lets the requests that pass a proxy meet a process of the release before shared profiles: it has not their routes, and ignores
 * the header of a space, so that it answers for the account.
 * @param isEarlier whether the next request meets such a process
 */
export function meetEarlier(proxy: Proxy, isEarlier: () => boolean): void {
  proxy.hold = (request: ProxiedRequest) => {
    if (!isEarlier()) return undefined;
    if (ROUTES.test(request.path)) request.url = '/api/no-such-route';
    delete request.headers['health-space'];
    return undefined;
  };
}

/** A balancer in front of a process of before and one of now: each gets every second request. */
export function inTurn(): () => boolean {
  let count = 0;
  return () => (count += 1) % 2 === 1;
}
