import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './sources';

/** `npm run test:mutations` takes an hour, so no gate runs it: it must not rot meanwhile. */
describe('the faults that npm run test:mutations plants', () => {
  it('still have their places in the sources', () => {
    const program = join(ROOT, 'test/mutations/mutations.mjs');
    const { status, stdout } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });
});
