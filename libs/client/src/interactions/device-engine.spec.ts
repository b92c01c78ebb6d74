import { deviceInteractionEngine } from './device-engine';

const lists = [
  'changelog',
  'sources',
  'tags',
  'ingredients',
  'combinations',
  'texts',
  'rules',
  'duplicates',
  'doses',
];
const empty = {
  format: 1,
  version: 'empty',
  released: '2025-01-01',
  ...Object.fromEntries([...lists, 'species', 'lookalikes'].map((name) => [name, []])),
};

it('makes the engine of a served base, which says what it does not know', async () => {
  const engine = await deviceInteractionEngine(empty);
  expect(engine.check({ medications: ['Warfarin'] })).toMatchObject([
    { kind: 'unrecognized', severity: 'unknown' },
  ]);
  expect(engine.checkNew({ name: 'Warfarin', dosage: '' })[0]).toMatchObject({ knowledge_version: 'empty' });
});

it.each([
  ['another format', { ...empty, format: 2 }],
  ['no base at all', { format: 1 }],
])('refuses %s', (_what, base) => {
  expect(() => deviceInteractionEngine(base)).toThrow(
    expect.objectContaining({ code: 'protocol_violation' }),
  );
});
