/** The networks from which an entry comes; see `widerNetworksOf`. */
export interface Origin {
  network: string;
  /** The larger network that contains `network`. */
  block: string;
}

/**
 * A queue with a fixed number of places.
 *
 * Blocks take turns, and the networks of a block take turns within it. The entries of one network leave in the
 * order in which they came. A sender with many networks in one block gets the share of one block.
 */
export class FairLine<T extends Origin> {
  /** Entries by block and network, in the order of their turns. There are no empty ones. */
  private readonly blocks = new Map<string, Map<string, T[]>>();
  private entries = 0;

  constructor(private readonly places: number) {}

  /** The number of entries that wait. */
  get length(): number {
    return this.entries;
  }

  /**
   * Adds an entry. If the queue is full, it removes the newest entry of the largest network in the largest
   * block. Among equals, the block or network of the new entry is chosen, otherwise the one whose turn is
   * last.
   *
   * @returns the removed entry, if there is one. It can be the new entry.
   */
  add(entry: T): T | undefined {
    const networks = this.blocks.get(entry.block) ?? new Map<string, T[]>();
    this.blocks.set(entry.block, networks);
    networks.set(entry.network, [...(networks.get(entry.network) ?? []), entry]);
    if (++this.entries <= this.places) return undefined;
    const block = largest(this.blocks, entry.block, lengthOf);
    const network = largest(this.blocks.get(block)!, entry.network, (entries) => entries.length);
    return this.evict(block, network);
  }

  /** Removes the entry whose turn it is. Its block and its network have their next turn after all others. */
  take(): T | undefined {
    for (const [block, networks] of this.blocks) {
      for (const [network, entries] of networks) {
        this.blocks.delete(block);
        networks.delete(network);
        const entry = entries.shift();
        if (entries.length > 0) networks.set(network, entries);
        if (networks.size > 0) this.blocks.set(block, networks);
        this.entries--;
        return entry;
      }
    }
    return undefined;
  }

  private evict(block: string, network: string): T | undefined {
    const networks = this.blocks.get(block)!;
    const entries = networks.get(network)!;
    const entry = entries.pop();
    if (entries.length === 0) networks.delete(network);
    if (networks.size === 0) this.blocks.delete(block);
    this.entries--;
    return entry;
  }
}

function lengthOf(networks: Map<string, unknown[]>): number {
  return [...networks.values()].reduce((sum, entries) => sum + entries.length, 0);
}

/** The key of the largest value. Of equal ones, `preferred` if it is one of them, else the last one. */
function largest<V>(values: Map<string, V>, preferred: string, sizeOf: (value: V) => number): string {
  let size = values.has(preferred) ? sizeOf(values.get(preferred)!) : 0;
  let found = preferred;
  for (const [key, value] of values) {
    const each = sizeOf(value);
    if (each < size || (each === size && found === preferred)) continue;
    size = each;
    found = key;
  }
  return found;
}
