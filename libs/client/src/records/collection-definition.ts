import type { StandardSchema } from '../documents/standard-schema';
import type { ObjectReader } from '../http/object-reader';
import type { NamesOf } from '../inputs';
import type { JsonObject } from '../json';
import type { RecordRoute } from './record-gateway';

/** What one kind of records is: its route, its plaintext fields, its checks. */
export interface CollectionDefinition<Details extends object, Meta extends object> {
  /** Lower-case letters, digits and hyphens. It is bound into every ciphertext, so it never changes. */
  kind: string;
  route: RecordRoute;
  /** Reads the plaintext fields of an answer, and their sealed copy. @throws ProtocolError */
  readMeta: (reader: ObjectReader) => Meta;
  /** All plaintext fields in wire form. They are also encrypted together with the details. */
  writeMeta: (meta: Meta) => JsonObject;
  /** The plaintext fields by their names in `Meta`. */
  inputs: NamesOf<Meta>;
  /** What a caller may give. Members that it does not name are kept. */
  details: StandardSchema;
  /** For the compiler alone: the type of the details, which a schema of another library cannot tell. */
  detailsType?: Details;
  /**
   * What each record has, also one that an older or another client has stored. Default: the members without which `details`
   * holds no record.
   */
  stored?: StandardSchema;
  /** Checks the plaintext fields that a caller gives. @throws InvalidArgumentError */
  checkMeta?: (meta: Partial<Meta>) => void;
  /** Whether so many are written that the head of the profile lists only those that were changed. */
  isUnlisted?: boolean;
  /**
   * The unit to which a field belongs: `details.<member>`, `meta.<wire field>`, `profileId`. Two changes of one unit are
   * never mixed. Empty, the default: the field stands alone.
   */
  unitOf?: (field: string) => string;
  /** The records belong to the account itself: their key follows from the account key, and no head lists them. */
  ofAccount?: true;
  /** Of a kind of your own: the wire names of the plaintext fields, by their names in `Meta`. */
  fields?: Readonly<Record<string, string>>;
  /** The time by which the list is filtered. */
  timeOf?: (meta: Meta) => string;
}

/** The input of a create. */
export type NewRecord<Details, Meta> = { id?: string; profileId: string; details: Details } & Meta;
/** The input of an update. Members of `details` are merged; `undefined` removes a member. */
export type RecordChanges<Details, Meta> = Partial<Meta> & { profileId?: string; details?: Partial<Details> };
