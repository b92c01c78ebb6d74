import { deriveAtFullCost } from './testing/full-derivation';
import { runVectors } from './testing/vector-run';
import vectors from '../vectors.json';

deriveAtFullCost();

it('opens, derives and refuses every vector as vectors.json says', async () => {
  const { checked, failures } = await runVectors(vectors);
  expect(failures).toEqual([]);
  expect(checked).toBeGreaterThan(400);
});

it('is a sorted file, so that a change of it can be read', () => {
  const names = Object.keys(vectors).filter((name) => name !== 'default');
  expect(names).toEqual([...names].sort());
});
