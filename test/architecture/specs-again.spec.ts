import { AGAIN, NOT_AGAIN } from '../support/specs-again';
import { filesOf, TESTS } from '../covered/covered';

const again = [...Object.keys(AGAIN.quick), ...Object.keys(AGAIN.long)];
const pathOf = (name: string) => `test/${name}.spec.ts`;

describe('each spec of the service over HTTP', () => {
  it('runs in a space too, or says why it says nothing of one', () => {
    const specs = filesOf(['test/e2e/*.spec.ts', 'test/security/*.spec.ts']);
    expect([...again, ...Object.keys(NOT_AGAIN)].map(pathOf).sort()).toEqual(specs);
  });

  it('that runs long in a space is in the set of test/covered', () => {
    expect(filesOf(TESTS.spaces.suites!)).toEqual(
      expect.arrayContaining(Object.keys(AGAIN.long).map(pathOf)),
    );
  });
});
