const MAX_LENGTH = 200;
const CURSOR = /^1\.([0-9a-f]{1,32})\.([0-9a-f-]{36})\.(\d{1,16})\.(\d{1,16})$/;

/** How far a client has read the feed of one account. */
export interface SyncCursor {
  epoch: string;
  accountId: string;
  /** The position of the last change that the client has. */
  position: number;
  /**
   * The end of the feed when the client began. The client has no record that was deleted before, so the feed
   * leaves out those deletions.
   */
  start: number;
}

/** The opaque text of a cursor. */
export function encodeSyncCursor({ epoch, accountId, position, start }: SyncCursor): string {
  return Buffer.from(`1.${epoch}.${accountId}.${position}.${start}`).toString('base64url');
}

/** @returns `undefined` for a text that is not a cursor of this service. */
export function decodeSyncCursor(text: string): SyncCursor | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [whole, epoch, accountId, position, start] =
    CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (whole === undefined) return undefined;
  return { epoch, accountId, position: Number(position), start: Number(start) };
}
