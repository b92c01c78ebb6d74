import type { Secret } from '../support/traces';

interface Algorithm {
  name: string;
  salt?: Uint8Array;
}

type Method = (...args: never[]) => unknown;
const OBSERVED = ['importKey', 'generateKey', 'unwrapKey', 'deriveBits', 'deriveKey'] as const;

/** What WebCrypto makes, opens and derives from `observe` to `restore`, also what no script may read. */
export class ObservedKeys {
  readonly #own = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, Method>;
  readonly #originals = Object.fromEntries(OBSERVED.map((name) => [name, this.#own[name]]));
  readonly #keys = new Map<string, Secret>();

  static observe(): ObservedKeys {
    const observed = new ObservedKeys();
    observed.#observe();
    return observed;
  }

  /** Each once, by what it was for: the same key is derived and opened again and again. */
  get secrets(): Secret[] {
    return [...this.#keys.values()];
  }

  restore(): void {
    Object.assign(this.#own, this.#originals);
  }

  #observe(): void {
    const own = this.#own;
    own.importKey = (format: string, data: Uint8Array, algorithm: Algorithm | string, ...rest: unknown[]) => {
      // A public key is imported raw as well.
      if (format === 'raw' && nameOf(algorithm) !== 'Ed25519') this.#note('input of a derivation', data);
      return this.#call('importKey', format, data, algorithm, ...rest);
    };
    own.generateKey = async (algorithm: Algorithm, isOpen: boolean, uses: string[]) => {
      const made = await this.#call('generateKey', algorithm, true, uses);
      if (nameOf(algorithm) !== 'Ed25519') return this.#read('data key', made, algorithm, isOpen, uses);
      const { publicKey, privateKey } = made as { publicKey: unknown; privateKey: unknown };
      return { publicKey, privateKey: await this.#read('private key', privateKey, algorithm, isOpen, uses) };
    };
    own.unwrapKey = async (...args: unknown[]) => {
      const [algorithm, isOpen, uses] = args.slice(4) as [Algorithm, boolean, string[]];
      // A key for HKDF can never be exported, so it is opened as one for AES.
      const [as, asUses] = nameOf(algorithm) === 'HKDF' ? ['AES-GCM', ['encrypt']] : [algorithm, uses];
      const key = await this.#call('unwrapKey', ...args.slice(0, 4), as, true, asUses);
      return this.#read('opened key', key, algorithm, isOpen, uses);
    };
    own.deriveBits = async (algorithm: Algorithm, ...rest: unknown[]) => {
      const bits = await this.#call('deriveBits', algorithm, ...rest);
      // Only the id of the account key, which is no secret, is derived by HKDF.
      if (algorithm.name !== 'HKDF')
        this.#note(`derived: ${labelOf(algorithm)}`, new Uint8Array(bits as ArrayBuffer));
      return bits;
    };
    own.deriveKey = async (
      how: Algorithm,
      from: unknown,
      into: Algorithm,
      isOpen: boolean,
      uses: string[],
    ) => {
      const key = await this.#call('deriveKey', how, from, into, true, uses);
      return this.#read(`derived: ${labelOf(how)}`, key, into, isOpen, uses);
    };
  }

  #call(name: string, ...args: unknown[]): Promise<unknown> {
    return Reflect.apply(this.#originals[name], globalThis.crypto.subtle, args) as Promise<unknown>;
  }

  /** Notes a key that was made readable, and returns it as it was asked for. */
  async #read(what: string, key: unknown, algorithm: Algorithm | string, isOpen: boolean, uses: string[]) {
    const format = nameOf(algorithm) === 'Ed25519' ? 'pkcs8' : 'raw';
    const bytes = new Uint8Array(await globalThis.crypto.subtle.exportKey(format as 'raw', key as never));
    // The beginning of a PKCS #8 is the same in all.
    this.#note(what, format === 'raw' ? bytes : bytes.slice(-32));
    return isOpen ? key : this.#call('importKey', format, bytes, algorithm, false, uses);
  }

  /** Copies at once: callers wipe what they pass. */
  #note(what: string, bytes: Uint8Array): void {
    const value = Buffer.from(bytes);
    // The two seeds of an identity are one key.
    const halves = value.length === 64 ? [value.subarray(0, 32), value.subarray(32)] : [];
    for (const each of [value, ...halves]) {
      const hex = each.toString('hex');
      if (!this.#keys.has(hex)) this.#keys.set(hex, { what: `${what} ${this.#keys.size}`, value: each });
    }
  }
}

function nameOf(algorithm: Algorithm | string): string {
  return typeof algorithm === 'string' ? algorithm : algorithm.name;
}

/** The second derivations of a secret have their label as salt. */
function labelOf({ name, salt }: Algorithm): string {
  const text = Buffer.from(salt ?? []).toString('latin1');
  return text.startsWith('health-records/') ? text : `by ${name}`;
}
