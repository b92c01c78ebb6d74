import { framesOf } from '@app/common';
import { createLog } from '../service-logger';

/** For lines that every LOG_LEVEL shows: the service is ready, or why it ends. */
export const processLog = createLog({ logLevel: 'info' });

/**
 * Puts into the log what Node itself would write as plain text: its warnings, and an error that nobody has caught. The
 * second ends the process.
 *
 * Security: the message of such an error may quote data of a client, so only its class, its code and its place are
 * logged.
 */
export function logNodeEvents(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) =>
    processLog.warn({ context: 'Node', msg: `${name}: ${message}` }),
  );
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    const { name: cause, code } = error;
    processLog.fatal({
      msg: 'The process ends: nobody has caught an error.',
      cause,
      cause_code: code,
      frames: framesOf(error),
    });
    process.exit(1);
  });
}
