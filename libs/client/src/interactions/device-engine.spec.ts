import { TEXT_IDS } from '@app/interactions';
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
  phrases: { en: Object.fromEntries(TEXT_IDS.map((id) => [id, id])) },
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
  ['a base without the texts of the engine', { ...empty, phrases: { en: {} } }],
])('refuses %s', (_what, base) => {
  expect(() => deviceInteractionEngine(base)).toThrow(
    expect.objectContaining({ code: 'protocol_violation' }),
  );
});
