import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english, translations } from '@zxcvbn-ts/language-en';

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  translations,
});

/** Only `strength.ts` imports this file, dynamically: the word lists are large. */
export function estimate(secret: string, userInputs: string[]): ZxcvbnResult {
  return zxcvbn.check(secret, userInputs);
}
