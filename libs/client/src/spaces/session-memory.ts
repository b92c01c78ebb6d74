import type { SpaceMemory } from './space-directory';

/** What a client without an offline store keeps of its spaces: until it ends. */
export function sessionMemory(): SpaceMemory {
  const texts = new Map<string, string>();
  return {
    list: () => Promise.resolve([...texts.keys()]),
    read: (spaceId) => Promise.resolve(texts.get(spaceId)),
    write: (spaceId, text) => {
      if (text === null) texts.delete(spaceId);
      else texts.set(spaceId, text);
      return Promise.resolve();
    },
  };
}
