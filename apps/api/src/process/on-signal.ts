import cluster from 'node:cluster';

/**
 * Ends the process in good order: the first SIGTERM or SIGINT runs `close`, a second one does not wait for it.
 *
 * @param fail called where `close` rejects.
 */
export function onSignal(close: () => Promise<void>, fail: (error: unknown) => never): void {
  let closing = false;
  const end = () => {
    if (closing) process.exit(1);
    closing = true;
    close().then(() => process.exit(), fail);
  };
  process.on('SIGTERM', end);
  // Ctrl-C reaches every process of the terminal; a worker waits for its primary's word.
  process.on('SIGINT', cluster.isWorker ? () => undefined : end);
}
