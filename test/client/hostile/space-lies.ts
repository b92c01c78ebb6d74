import type { HealthRecordsClient } from '@app/client';
import { json, type Lie } from './lying-fetch';

/** The lies about a shared profile. */

/** The answers of the service about a space. */
const ABOUT = ['/api/space', '/api/space/rosters', '/api/spaces'];

/** Changes what the service answers to a path, where it does not refuse. */
export const changing =
  (path: string, change: (body: any) => unknown): Lie =>
  async (asked, pass) => {
    const answer = await pass();
    return asked.path === path && answer.status < 300
      ? json(answer.status, change(JSON.parse(answer.text)))
      : answer;
  };

/** Changes each member that the service names, but the caller's own row. */
export const changingOthers = (self: string, change: object): Lie =>
  changing('/api/space', (body) => ({
    ...body,
    members: body.members.map((each: any) => (each.member_id === self ? each : { ...each, ...change })),
  }));

/** The answers of now about a space, to be given again later. */
export async function recorded(client: HealthRecordsClient, spaceId: string): Promise<Lie> {
  const bodies = new Map<string, unknown>();
  for (const path of ABOUT) {
    const space = path === '/api/spaces' ? {} : { space: spaceId };
    bodies.set(path, (await client.request({ method: 'GET', path, ...space })).body);
  }
  return ({ path }, pass) => (bodies.has(path) ? json(200, bodies.get(path)) : pass());
}
