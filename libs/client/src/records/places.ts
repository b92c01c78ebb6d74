import { ApiError, IntegrityError, isAnswer } from '../errors';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import type { SpaceDirectory, SpacePlace } from '../spaces/space-directory';
import type { CallOptions } from './record-types';

const NONE: readonly SpacePlace[] = [];
/** Without the right key, nothing opens. */
const NO_KEY = ['tampered', 'key_mismatch'];

/** The parts of the client that the places need. */
export interface PlacesHost {
  /** Absent without the option `spaces`. */
  directory(): SpaceDirectory | undefined;
  /** With the access token of the session. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** The epoch of the open key of a profile; `undefined` where none is open. */
  epochOf(profileId: string): number | undefined;
}

/** Where profiles lie: with the account, or in spaces. Without the option `spaces`, all are the account's. */
export class Places {
  #asking: Promise<unknown> | undefined;
  readonly #rereading = new Map<string, Promise<unknown>>();

  constructor(private readonly host: PlacesHost) {}

  get all(): readonly SpacePlace[] {
    return this.host.directory()?.places ?? NONE;
  }

  /** `undefined` for a profile of the account. */
  ofProfile(profileId: string): SpacePlace | undefined {
    return this.all.find((place) => place.profileId === profileId);
  }

  ofSpace(spaceId: string): SpacePlace | undefined {
    return this.all.find((place) => place.spaceId === spaceId);
  }

  /** The space of a profile; empty for one of the account. */
  realmOf(profileId: string): string {
    return this.ofProfile(profileId)?.spaceId ?? '';
  }

  /** Whether this account may write the profile, and with it the head of its records. */
  mayPublish(profileId: string): boolean {
    const place = this.ofProfile(profileId);
    return place === undefined || (isWritable(place) && ['editor', 'owner'].includes(place.role));
  }

  /**
   * For a client without an offline store, whose sync would do it: asks once after an unlock.
   * @param isAskedAnew where there is a space, asks again.
   * @returns the spaces whose records can be read.
   */
  async readable({ signal }: CallOptions, isAskedAnew: boolean): Promise<readonly SpacePlace[]> {
    const directory = this.host.directory();
    if (!directory) return NONE;
    if (isAskedAnew && directory.places.length > 0) this.#asking = undefined;
    this.#asking ??= directory.open().then(() => directory.refresh(signal ? { signal } : {}));
    const asking = this.#asking;
    try {
      await asking;
    } catch (error) {
      // The next call asks again.
      if (this.#asking === asking) this.#asking = undefined;
      throw error;
    }
    const isOpen = ({ profileId }: SpacePlace) => this.host.epochOf(profileId) !== undefined;
    return directory.places.filter((place) => place.state === 'member' && isOpen(place));
  }

  /** At a lock. */
  forget(): void {
    this.#asking = undefined;
  }

  /**
   * Sends a request into a space, a write with the version whose roster and key this device has checked.
   * @throws ApiError `space_changed` where the key is another one now: what was sealed under the former one is not sent.
   */
  async sendIn(spaceId: string, request: HttpRequest): Promise<HttpAnswer> {
    const place = this.ofSpace(spaceId);
    if (place?.state !== 'member') throw accessEnded();
    if (request.method === 'GET') return this.host.send({ ...request, space: spaceId });
    if (place.blocked) throw blockedBy(place);
    const { version, profileId } = place;
    const epoch = this.host.epochOf(profileId);
    try {
      return await this.host.send({ ...request, space: `${spaceId};${version}` });
    } catch (error) {
      if (!isAnswer(error, 409) || error.code !== 'space_changed') throw error;
      const { signal } = request;
      const now = await this.host.directory()?.reread(spaceId, signal ? { signal } : {});
      if (!now || !isWritable(now) || now.version === version) throw error;
      if (this.host.epochOf(profileId) !== epoch) throw error;
      return this.host.send({ ...request, space: `${spaceId};${now.version}` });
    }
  }

  /** The same to where a profile lies. */
  async sendTo(profileId: string, request: HttpRequest): Promise<HttpAnswer> {
    const place = this.ofProfile(profileId);
    return place ? this.sendIn(place.spaceId, request) : this.host.send(request);
  }

  /**
   * Opens what the service shows of a profile. Where no key opens it, its space is read anew once: there may be another key.
   * For a client without an offline store, whose sync would do it.
   */
  async opened<T>(profileId: string | undefined, open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      const place = profileId === undefined ? undefined : this.ofProfile(profileId);
      const isWithoutKey = error instanceof IntegrityError && NO_KEY.includes(error.code);
      if (!isWithoutKey || place?.state !== 'member') throw error;
      const epoch = this.host.epochOf(place.profileId);
      await this.#reread(place.spaceId);
      if (this.host.epochOf(place.profileId) === epoch) throw error;
      return open();
    }
  }

  /** Records that are read at once share one question. */
  #reread(spaceId: string): Promise<unknown> {
    const rereading = this.#rereading.get(spaceId) ?? Promise.resolve(this.host.directory()?.reread(spaceId));
    this.#rereading.set(spaceId, rereading);
    return rereading.finally(() => this.#rereading.delete(spaceId));
  }
}

function isWritable({ state, blocked }: SpacePlace): boolean {
  return state === 'member' && blocked === null;
}

const refusal = (status: number, code: string, message: string) => new ApiError({ status, code, message });

function accessEnded(): ApiError {
  return refusal(403, 'access_ended', 'This profile is no longer shared with you.');
}

function blockedBy({ blocked }: SpacePlace): ApiError {
  return refusal(409, blocked!.code, blocked!.message);
}

/** Kinds of which a carer may write nothing. Of others it may write its own, or a module says so: the service knows. */
const OF_EDITORS = ['profile', 'medication', 'appointment'];

/**
 * Refuses at once what the service would refuse later.
 * @throws ApiError `space_role_too_low`, `space_profile`, `access_ended`, or the code of what blocks the space
 */
export function assertMayWrite(
  place: SpacePlace,
  kind: string,
  action: 'create' | 'update' | 'delete',
): void {
  const { state, role, blocked } = place;
  if (state !== 'member') throw accessEnded();
  if (blocked) throw blockedBy(place);
  if (kind === 'profile' && action !== 'update')
    throw refusal(409, 'space_profile', 'A shared profile is deleted for all members, or left.');
  if (role === 'viewer' || (role === 'carer' && OF_EDITORS.includes(kind)))
    throw refusal(403, 'space_role_too_low', 'Your role in this shared profile does not allow this.');
}

/**
 * Writes; once more where the key of a shared profile was replaced meanwhile: what was sealed under the former one is sealed
 * anew then. Nothing was stored before.
 */
export async function underNewestKey<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isAnswer(error, 409) || error.code !== 'space_changed') throw error;
    return write();
  }
}
