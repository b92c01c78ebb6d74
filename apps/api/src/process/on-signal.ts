import cluster from 'node:cluster';

/**
 * Handles shutdown signals. The first SIGTERM or SIGINT runs `close`. A second signal ends the process at
 * once.
 *
 * @param fail called if `close` rejects.
 */
export function onSignal(close: () => Promise<void>, fail: (error: unknown) => never): void {
  let closing = false;
  const end = () => {
    if (closing) process.exit(1);
    closing = true;
    close().then(() => process.exit(), fail);
  };
  process.on('SIGTERM', end);
  // Ctrl-C sends SIGINT to every process of the terminal. A worker ignores it and waits for the SIGTERM of
  // its primary.
  process.on('SIGINT', cluster.isWorker ? () => undefined : end);
}
