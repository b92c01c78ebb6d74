import { ObjectReader } from '../http/object-reader';
import type { JsonObject } from '../json';
import type { SessionTransport } from '../http/session-transport';
import { signalOf } from '../records/encrypted-collection';
import type { Profiles } from '../records/profiles';
import type { CallOptions } from '../records/record-types';
import type { ServiceConnection } from '../records/service-connection';
import type { ProfilePlace } from './space-profile';
import type { ProfileState } from './new-key';

/**
 * The profile of a space as this device knows it: for when that of the service does not open, or is older than what was known.
 */
export class OwnProfiles {
  constructor(
    private readonly transport: SessionTransport,
    private readonly connection: ServiceConnection,
    private readonly profiles: Profiles,
  ) {}

  /** @throws IntegrityError where this device has no state of it; ApiError */
  async read({ id, profileId }: ProfilePlace, options: CallOptions): Promise<ProfileState> {
    const { details, kind, relationship, edited, lineage } = await this.profiles.get(profileId, options);
    const path = `/api/profiles/${profileId}`;
    const { body } = await this.transport.send({ method: 'GET', path, space: id, ...signalOf(options) });
    const content = {
      ...this.connection.heads.encode(profileId),
      details: details as JsonObject,
      meta: { kind, relationship },
      ...(edited && { edited }),
    };
    const revision = new ObjectReader(body, 'profile').integer('revision', 1);
    return { content: content, lineage: lineage ? [lineage] : [], revision };
  }
}
