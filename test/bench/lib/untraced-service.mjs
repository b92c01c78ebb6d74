/**
 * The built service without the places where traces would listen: statements and hashes tell nothing. It starts like main.js.
 */
import { createRequire } from 'node:module';

const load = createRequire(new URL('../../../dist/', import.meta.url));
// First, as in main.js: V8 reads a flag when it first needs it.
load('./libs/config/src/v8-flags.js');
const observation = load('./libs/common/src/observation.js');
observation.observedStatement = (_name, work) => work();
observation.Observation.prototype.tell = () => undefined;
load('./apps/api/src/run.js').run();
