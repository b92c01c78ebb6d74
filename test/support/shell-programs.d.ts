import type { Program } from './pgbouncer';

/** Installs it where it is missing; `undefined`, with a sentence on standard error, where that fails outside of CI. */
export function shellCheckProgram(): Program | undefined;
/** As {@link shellCheckProgram}. */
export function systemdProgram(): Program | undefined;
