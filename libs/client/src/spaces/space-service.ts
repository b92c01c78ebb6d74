import { isAnswer } from '../errors';
import { outdated, type HttpAnswer, type HttpRequest } from '../http/http-transport';
import type { SessionTransport } from '../http/session-transport';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import {
  readListedInvitations,
  readListedSpaces,
  readNamedSpace,
  readRosterTexts,
  type ListedInvitation,
  type ListedSpace,
  type NamedSpace,
} from './space-wire';

/** A space, at the version that this device has checked. */
export interface SpaceAtVersion {
  id: string;
  version: number;
}

/** The routes of shared profiles. What they answer is not checked here. All throw ApiError, TransportError, ProtocolError. */
export class SpaceService {
  constructor(private readonly transport: SessionTransport) {}

  async list(options: CallOptions): Promise<ListedSpace[]> {
    try {
      const { body } = await this.send({ method: 'GET', path: '/api/spaces' }, options);
      return readListedSpaces(body);
    } catch (error) {
      // Every process that knows spaces has a list, perhaps an empty one.
      throw isAnswer(error, 404) ? outdated() : error;
    }
  }

  async read(spaceId: string, options: CallOptions): Promise<NamedSpace> {
    const request = { method: 'GET', path: '/api/space', space: spaceId } as const;
    return readNamedSpace((await this.send(request, options)).body, spaceId);
  }

  /** At most 100, rising. */
  async rosters(spaceId: string, after: number, options: CallOptions): Promise<string[]> {
    const request = { method: 'GET', path: '/api/space/rosters', query: { after }, space: spaceId } as const;
    return readRosterTexts((await this.send(request, options)).body);
  }

  async invitations(spaceId: string, options: CallOptions): Promise<ListedInvitation[]> {
    const request = { method: 'GET', path: '/api/space/invitations', space: spaceId } as const;
    return readListedInvitations((await this.send(request, options)).body);
  }

  /** Changes a space. @param path after `/api/space/`. */
  write(
    { id, version }: SpaceAtVersion,
    path: string,
    body: object,
    options: CallOptions,
  ): Promise<HttpAnswer> {
    const request = { method: 'POST', path: `/api/space/${path}`, body, space: `${id};${version}` } as const;
    return this.send(request, options);
  }

  send(request: HttpRequest, options: CallOptions): Promise<HttpAnswer> {
    return this.transport.send({ ...request, ...signalOf(options) });
  }
}
