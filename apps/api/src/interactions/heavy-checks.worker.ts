import { setPriority } from 'node:os';
import { createEngine, type InteractionEngine } from '@app/interactions';
import { loadKnowledge } from '@app/interactions/node';

/** A call of the engine. Security: the names stay in this process, and are neither stored nor logged. */
export interface HeavyCheck {
  method: 'check' | 'checkNew' | 'resolve';
  request: object;
}

/** On Linux the priority is that of the calling thread, so requests that are served meanwhile come first. */
const LOWER_PRIORITY = 10;
if (process.platform === 'linux') setPriority(LOWER_PRIORITY);

let engine: Promise<InteractionEngine> | undefined;

/** Runs in a thread of `HeavyChecksService`. Loads the knowledge base at its first call. @returns JSON. */
export default async function runHeavyCheck({ method, request }: HeavyCheck): Promise<string> {
  engine ??= loadKnowledge().then(({ base }) => createEngine(base));
  return JSON.stringify((await engine)[method](request as never));
}
