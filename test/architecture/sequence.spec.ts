import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources';

interface Sequenced {
  path: string;
  context: { config: { cache: boolean }; hasteFS: { getSize: () => number } };
}
// eslint-disable-next-line @typescript-eslint/no-require-imports
const Sequencer = require('../support/sequencer') as {
  new (): { sort: (tests: Sequenced[]) => Sequenced[] };
  LONG: string[];
};

describe('the order of the specs', () => {
  it('begins with long ones that are there', () => {
    expect(Sequencer.LONG.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('keeps the largest first among all others', () => {
    const spec = (path: string, size: number): Sequenced => ({
      path: join(ROOT, path),
      context: { config: { cache: false }, hasteFS: { getSize: () => size } },
    });
    const [first, second] = Sequencer.LONG;
    const given = [spec('small.spec.ts', 1), spec(second, 2), spec('large.spec.ts', 9), spec(first, 1)];
    const sorted = new Sequencer().sort(given).map(({ path }) => path);
    expect(sorted).toEqual([first, second, 'large.spec.ts', 'small.spec.ts'].map((path) => join(ROOT, path)));
  });
});
