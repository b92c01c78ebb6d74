import { choicesOf, isDoubt } from './sync-problem';

const textsOf = (code: string) => choicesOf({ code }).map(({ text }) => text);

it('asks about a record that the service says is gone', () => {
  for (const code of ['deletion_unproven', 'withheld', 'missing_after_reset']) {
    expect(textsOf(code)).toEqual(['ask', 'putBack', 'deleteHere']);
    expect(isDoubt(code)).toBe(true);
  }
});

it('asks about a state that this device does not believe', () => {
  expect(textsOf('rolled_back')).toEqual(['ask', 'keep', 'takeTheirs']);
  expect(isDoubt('tampered')).toBe(true);
});

it('asks about a dose that nobody has entered', () => {
  expect(textsOf('unproven')).toEqual(['ask', 'isRight', 'deleteHere']);
  expect(isDoubt('unproven')).toBe(true);
});

it('asks about a change of this person', () => {
  expect(textsOf('quota_exceeded')).toEqual(['retry', 'keep', 'discard']);
  expect(isDoubt('deleted_elsewhere')).toBe(false);
});

it('offers only what can be done', () => {
  expect(choicesOf({ code: 'tampered', resolutions: ['retry'] })).toEqual([
    { resolution: 'retry', text: 'ask' },
  ]);
});
