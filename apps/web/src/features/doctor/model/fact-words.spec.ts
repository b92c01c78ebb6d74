import { factWords } from './fact-words';

it('says a ticked illness in the language of the reader, and leaves what was typed', () => {
  const text = (key: string) => key;
  expect([
    factWords({ code: 'heart_failure', text: 'Heart failure' }, text),
    factWords({ text: 'Bees' }, text),
    factWords({ code: 'of another client', text: 'Gout' }, text),
  ]).toEqual(['profiles.fact.heart_failure', 'Bees', 'Gout']);
});
