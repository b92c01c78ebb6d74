import type { Answer } from '../api';
import { type Check, expectSame, expectTrue, type Subject } from '../check';
import { expectFailure } from '../failures';
import {
  aHousehold,
  createRecord,
  type Household,
  idFieldOf,
  readRecord,
  type KindUnderTest,
  type Registry,
  updateRecord,
  collectionPath,
} from '../record-kind';

const MAX_BYTES = 256 * 1024;

/** Source texts of JSON values that a parser or a database would change. */
export const DELICATE_BLOBS = [
  '"cGxhaW4gYmFzZTY0"',
  '{"ciphertext":"AAAA","iv":"BBBB"}',
  '{"n":1.50}',
  '{"n":1e400,"m":-0,"k":0.1000000000000000055511151231257827,"l":123456789012345678901234567890}',
  '{"2":"b","10":"c","1":"a","a":0,"0":"z"}',
  '{"a":1,"a":2,"a":{"b":1,"b":2}}',
  '{"__proto__":{"x":1},"constructor":1,"toJSON":"x","text":"y"}',
  '"\\u0000"',
  '{"\\u0000":"a\\u0000b"}',
  '"\\ud800"',
  '{"\\udfff":"\\ud83d","x":"\\udc36\\ud83d"}',
  '{ "a" : [ 1 , 2 ]\n,\t"b"\r\n:{ } }',
  '"\\/\\u0041\\u00e9\\b\\f\\n\\r\\t\\\\\\""',
  '"\u007f\u0080\u2028\u2029\ufeff\uffff\u{1f468}\u200d\u{1f469}\u{10ffff}"',
  '{"quotes":"\\\\\\"}],{","encrypted_data":{"encrypted_data":"x"}}',
  '{"deep":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}',
  '{"":""}',
];
const NO_BLOBS = ['""', '{}', '{ \n }', '[]', '["x"]', 'null', '1.50', '1e400', 'true', '0'];
/** Blobs of exactly this number of bytes. */
const SIZED: Record<string, (bytes: number) => string> = {
  'a string': (bytes) => `"${'A'.repeat(bytes - 2)}"`,
  'an object': (bytes) => `{"c":"${'A'.repeat(bytes - 8)}"}`,
  'characters of three bytes': (bytes) =>
    `"${'\u20ac'.repeat(Math.floor((bytes - 2) / 3))}${'A'.repeat((bytes - 2) % 3)}"`,
  escapes: (bytes) => `"${'\\n'.repeat((bytes - 2) / 2)}${'A'.repeat(bytes % 2)}"`,
  blanks: (bytes) => `{"c":1${' '.repeat(bytes - 7)}}`,
};

/** Creates and updates records with the source text of a blob. */
export class BlobKeeper {
  readonly #field: string;

  constructor(
    private readonly subject: Subject,
    private readonly kind: KindUnderTest,
    private readonly home: Household,
  ) {
    this.#field = kind.blobField!;
  }

  /** Stores a record with this text in the opaque field. */
  create(blob: string, blank = ''): Promise<Answer> {
    const others = JSON.stringify({ ...this.kind.body(this.home), [this.#field]: undefined });
    const member = `${blank}"${this.#field}"${blank}:${blank}${blob}${blank}`;
    const body = [member, others.slice(1, -1)].filter((part) => part !== '').join(',');
    return createRecord(this.subject().api, this.kind, this.home, `{${body}}`);
  }

  /** Replaces the text of the opaque field. */
  update(id: string, blob: string): Promise<Answer> {
    return updateRecord(this.subject().api, this.kind, this.home, id, `{"${this.#field}":${blob}}`);
  }

  /** Reads one record. */
  read(id: string): Promise<Answer> {
    return readRecord(this.subject().api, this.kind, this.home, id);
  }

  /** The id in an answer. */
  idOf({ body }: Answer): string {
    return body[idFieldOf(this.kind)];
  }

  /** @throws AssertionError if the answer is not one record with exactly the bytes of this blob. */
  expectBlob({ status, text }: Answer, blob: string, expected: number): void {
    expectSame(status, expected);
    const label = `"${this.#field}":`;
    const value = text.slice(text.indexOf(label) + label.length);
    expectSame(value.slice(0, blob.length), blob);
    expectTrue(/[,}]/.test(value.charAt(blob.length)), `The blob goes on: ${value.slice(0, 100)}`);
    JSON.parse(text);
  }

  /** Sends the blob with a create and an update, and reads the item after each. */
  async roundTrip(blob: string, blank?: string): Promise<void> {
    const created = await this.create(blob, blank);
    this.expectBlob(created, blob, 201);
    const id = this.idOf(created);
    expectSame((await this.read(id)).text, created.text);
    await this.update(id, '"between"');
    const updated = await this.update(id, blob);
    this.expectBlob(updated, blob, 200);
    expectSame((await this.read(id)).text, updated.text);
  }
}

/**
 * The service keeps every byte of a blob, and refuses a blob of more than 256 KiB.
 * Empty for a kind that has no blob.
 */
export function opaqueChecks(subject: Subject, kind: KindUnderTest, registry: Registry): Check[] {
  const { blobField, update } = kind;
  if (!blobField || !update) return [];
  const keeper = async () => new BlobKeeper(subject, kind, await aHousehold(subject().api, registry));
  return [
    ...DELICATE_BLOBS.map((blob) => ({
      name: `a blob is returned to the byte: ${JSON.stringify(blob)}`,
      run: async () => (await keeper()).roundTrip(blob),
    })),
    ...[1, 2, 40].map((count) => ({
      name: `a blob is returned to the byte in a list of ${count}`,
      run: async () => {
        const home = await aHousehold(subject().api, registry);
        const path = collectionPath(kind, home);
        const options = { token: home.token };
        const before = (await subject().api.get(path, options)).text.slice(1, -1);
        const keeps = new BlobKeeper(subject, kind, home);
        const items: string[] = [];
        for (let index = 0; index < count; index++)
          items.push((await keeps.create(DELICATE_BLOBS[index % DELICATE_BLOBS.length])).text);
        if (!kind.oldestFirst) items.reverse();
        const all = kind.oldestFirst ? [before, ...items] : [...items, before];
        const { text } = await subject().api.get(path, options);
        expectSame(text, `[${all.filter((item) => item !== '').join(',')}]`);
      },
    })),
    ...NO_BLOBS.map((blob) => ({
      name: `a blob is not ${JSON.stringify(blob)}`,
      run: async () => {
        const keeps = await keeper();
        const created = await keeps.create(blob);
        if (kind.blobMayBeEmpty && blob === '""') return expectSame(created.status, 201);
        expectFailure(created, 'validation_failed', blobField);
        const stored = await keeps.create('"x"');
        const id = keeps.idOf(stored);
        expectFailure(await keeps.update(id, blob), 'validation_failed', blobField);
        return expectSame((await keeps.read(id)).body, stored.body);
      },
    })),
    ...Object.entries(SIZED).map(([what, blobOf]) => ({
      name: `a blob has 256 KiB and not a byte more: ${what}`,
      run: async () => {
        const keeps = await keeper();
        const blob = blobOf(MAX_BYTES);
        expectSame(Buffer.byteLength(blob), MAX_BYTES);
        const created = await keeps.create(blob);
        keeps.expectBlob(created, blob, 201);
        const id = keeps.idOf(created);
        expectSame((await keeps.read(id)).text, created.text);
        const over = blobOf(MAX_BYTES + (what === 'escapes' ? 2 : 1));
        for (const answer of [await keeps.create(over), await keeps.update(id, over)]) {
          expectFailure(answer, 'payload_too_large', blobField);
          expectSame(answer.body.error, `${blobField} must be at most ${MAX_BYTES} bytes.`);
        }
      },
    })),
  ];
}
