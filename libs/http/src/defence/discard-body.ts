import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '@app/opaque';

/**
 * A body that nobody reads is received and discarded up to this size, so that the client can read the answer
 * and use the connection again. A longer one ends the connection.
 */
const MAX_BYTES = 2 * MAX_BODY_BYTES;
/** A body up to this size is received at once. */
const SMALL_BYTES = 32 * 1024;
/** The pause after each chunk of up to 64 KiB. An address sends at most 13 MB/s for nothing. */
const PAUSE_MS = 5;
/** Large bodies of one address at a time. The connections of further ones are closed, which limits the memory. */
const MAX_AT_ONCE = 64;

/** Large bodies that are being received, by address. */
const receiving = new Map<string, number>();

/**
 * Receives a body that nobody reads, slowly: all bodies of an address share one speed. Otherwise a client that
 * repeats a refused request with a large body would keep the process busy.
 *
 * @param address of the client, or its network.
 */
export function discardBody(request: IncomingMessage, address: string): void {
  // The client left before the refusal. There is no further 'close', so the body would count for ever.
  if (request.destroyed) return;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && Number(length ?? 0) <= SMALL_BYTES) {
    request.resume();
    return;
  }
  const count = (receiving.get(address) ?? 0) + 1;
  receiving.set(address, count);
  request.once('close', () => leave(address));
  let left = count > MAX_AT_ONCE ? 0 : MAX_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) {
      request.destroy();
      return;
    }
    request.pause();
    setTimeout(() => request.resume(), PAUSE_MS * receiving.get(address)!);
  });
}

function leave(address: string): void {
  const count = receiving.get(address)! - 1;
  if (count > 0) receiving.set(address, count);
  else receiving.delete(address);
}
