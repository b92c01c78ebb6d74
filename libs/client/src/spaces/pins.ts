import type { KeyRing } from '../account/key-ring';
import type { TrustBook, TrustBooks } from '../account/trust-book';
import type { CallOptions } from '../records/record-types';
import {
  mergeContacts,
  mergeSpaces,
  type TrustContact,
  type TrustSpace,
  type TrustSpaces,
} from './formats/trust-entries';

/** Somebody whose keys this account knows. */
export interface Contact extends TrustContact {
  /** The key (base64) by which signatures are checked. It is a part of the identity, whose id does not tell it. */
  signing?: string;
}
export type Contacts = Readonly<Record<string, Contact>>;

/** What the devices of an account know of others, as the trust book has it. */
export interface KnownOthers {
  contacts: Contacts;
  spaces: TrustSpaces;
}

/** The contacts and the pinned rosters of this account. A pin is written before anything is sealed to anybody. */
export class Pins {
  constructor(
    private readonly keys: KeyRing,
    private readonly trustBooks: () => Promise<TrustBooks>,
  ) {}

  async read(options: CallOptions): Promise<KnownOthers> {
    return othersOf((await this.book(options)).book);
  }

  /** All of the trust book. */
  async book(options: CallOptions) {
    return (await this.trustBooks()).read(this.keys.accountKey, options);
  }

  /**
   * Adds what is not known yet. Nothing is sent where all of it is.
   * @param roster of the space.
   * @param relationship what the profile is to this person; absent: it stays as it was said.
   * @throws IntegrityError `key_mismatch` for a contact of another identity, `roster_refused` for another roster of a version.
   */
  async note(
    contacts: Contacts,
    spaceId: string,
    roster: TrustSpace['roster'],
    relationship?: string,
  ): Promise<void> {
    await this.changeBook((book) => {
      const said = relationship ?? book.spaces?.[spaceId]?.relationship ?? '';
      return {
        ...book,
        contacts: mergeContacts(book.contacts ?? {}, contacts),
        spaces: mergeSpaces(book.spaces ?? {}, { [spaceId]: { relationship: said, roster } }),
      };
    });
  }

  /** What a profile is to this person. The other members do not see it. */
  async relate(spaceId: string, relationship: string): Promise<void> {
    await this.changeBook((book) => {
      const known = book.spaces?.[spaceId];
      return known ? { ...book, spaces: { ...book.spaces, [spaceId]: { ...known, relationship } } } : book;
    });
  }

  /** Takes a contact in place of what is known: the person has compared the digits. */
  async replace(accountId: string, contact: Contact): Promise<void> {
    await this.changeBook((book) => ({ ...book, contacts: { ...book.contacts, [accountId]: contact } }));
  }

  /** After a restore of the service: the trust book goes on from the older one that the service has. */
  async restore(spaceId: string, roster: TrustSpace['roster']): Promise<void> {
    await (
      await this.trustBooks()
    ).restore(this.keys.accountKey, (book) => {
      const { relationship = '' } = book.spaces?.[spaceId] ?? {};
      return { ...book, spaces: mergeSpaces(book.spaces ?? {}, { [spaceId]: { relationship, roster } }) };
    });
  }

  /** This account has no part in a space any more. */
  async forgetSpace(spaceId: string): Promise<void> {
    await this.changeBook((book) => {
      const others = Object.entries(book.spaces ?? {}).filter(([id]) => id !== spaceId);
      return { ...book, spaces: Object.fromEntries(others) };
    });
  }

  async changeBook(change: (book: TrustBook) => TrustBook): Promise<void> {
    await (await this.trustBooks()).change(this.keys.accountKey, change);
  }
}

/** What of a trust book is about others. */
export function othersOf({ contacts = {}, spaces = {} }: TrustBook): KnownOthers {
  return { contacts, spaces };
}
