import type { CallOptions } from '../records/record-types';
import type { ClientSpaces } from './client-spaces';
import type { SpaceDirectory } from './space-directory';
import type { SpaceParts, SpacesFactory, SpacesPart } from './space-parts';
import { SpaceService } from './space-service';
import type { Spaces } from './space-types';

/** The option `spaces` of the client. What checks and seals is loaded by the first account that shares something. */
export function sharedProfiles(): SpacesFactory {
  return (parts) => {
    const part = new SpacesOnDemand(parts);
    return {
      spaces: part.spaces,
      directory: part.directory,
      lock: () => part.lock(),
      leaveAll: (...call) => part.leaveAll(...call),
    };
  };
}

/** Nothing but a list of none, until this account shares something. */
class SpacesOnDemand {
  #loaded: ClientSpaces | undefined;
  #loading: Promise<ClientSpaces> | undefined;

  constructor(private readonly parts: SpaceParts) {}

  readonly directory: SpaceDirectory = (() => {
    const places = () => this.#loaded?.directory.places ?? [];
    const isWaiting = () => this.#loaded?.directory.isWaiting ?? false;
    return {
      get places() {
        return places();
      },
      get isWaiting() {
        return isWaiting();
      },
      open: async () => {
        const isKnown = this.#loaded !== undefined || (await this.parts.memory.list()).length > 0;
        return isKnown ? (await this.#load()).directory.open() : [];
      },
      refresh: (options: CallOptions = {}) => this.#refresh(options),
      reread: async (spaceId: string, options?: CallOptions) =>
        (await this.#load()).directory.reread(spaceId, options),
    };
  })();

  readonly spaces: Spaces = {
    list: async (options = {}) => {
      const isNone =
        !this.#loaded && this.parts.keys.isUnlocked && (await this.#refresh(options)).length === 0;
      return isNone && !this.#loaded ? [] : (await this.#load()).list(options);
    },
    get: async (...call) => (await this.#load()).get(...call),
    share: async (...call) => (await this.#load()).share(...call),
    invite: async (...call) => (await this.#load()).invite(...call),
    invitations: async (...call) => (await this.#load()).invitations(...call),
    withdraw: async (...call) => (await this.#load()).withdraw(...call),
    openInvitation: async (...call) => (await this.#load()).openInvitation(...call),
    accept: async (...call) => (await this.#load()).accept(...call),
    confirm: async (...call) => (await this.#load()).confirm(...call),
    setRole: async (...call) => (await this.#load()).setRole(...call),
    remove: async (...call) => (await this.#load()).remove(...call),
    newKey: async (...call) => (await this.#load()).newKey(...call),
    digitsWith: async (...call) => (await this.#load()).digitsWith(...call),
    agree: async (...call) => (await this.#load()).agree(...call),
    relate: async (...call) => (await this.#load()).relate(...call),
    leave: async (...call) => (await this.#load()).leave(...call),
    becomeKeeper: async (...call) => (await this.#load()).becomeKeeper(...call),
    setRight: async (...call) => (await this.#load()).setRight(...call),
    forget: async (...call) => (await this.#load()).forget(...call),
    delete: async (...call) => (await this.#load()).delete(...call),
  };

  lock(): void {
    this.#loaded?.lock();
  }

  async leaveAll(...call: Parameters<SpacesPart['leaveAll']>): Promise<void> {
    if ((await this.#refresh(call[2])).length > 0) await (await this.#load()).leaveAll(...call);
  }

  async #refresh(options: CallOptions) {
    if (this.#loaded) return this.#loaded.directory.refresh(options);
    const listed = await new SpaceService(this.parts.transport).list(options);
    if (listed.length === 0 && (await this.parts.memory.list()).length === 0) return [];
    return (await this.#load()).directory.refresh(options, listed);
  }

  #load(): Promise<ClientSpaces> {
    this.#loading ??= import('./client-spaces.js').then(
      ({ spacesWith }) => (this.#loaded = spacesWith(this.parts)),
      (error: unknown) => {
        // Without a network it may not be there yet.
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
