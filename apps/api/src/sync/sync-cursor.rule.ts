const MAX_LENGTH = 200;
const CURSOR = /^2\.([0-9a-f]{1,32})\.([0-9a-f]{12})\.(\d{1,16})(?:\.(\d{1,16}))?$/;

/** How far a client has read the feed of one account. */
export interface SyncCursor {
  epoch: string;
  /** See {@link accountMark}. */
  account: string;
  /** The position of the last change that the client has. */
  position: number;
  /**
   * The end of the feed when the client began, or the position where that is later. The client has no record
   * that was deleted before, so the feed leaves out those deletions.
   */
  start: number;
}

/** The last 12 digits of an account id, which are random. They tell the accounts of one device apart. */
export function accountMark(accountId: string): string {
  return accountId.slice(-12);
}

/** The opaque text of a cursor. It is short, because a device sends one each minute. */
export function encodeSyncCursor({ epoch, account, position, start }: SyncCursor): string {
  return ['2', epoch, account, position, ...(start > position ? [start] : [])].join('.');
}

/** @returns `undefined` for a text that is not a cursor of this service. */
export function decodeSyncCursor(text: string): SyncCursor | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [whole, epoch, account, position, start = position] = CURSOR.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { epoch, account, position: Number(position), start: Number(start) };
}
