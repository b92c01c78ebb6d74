import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anAccount } from '../support/factories';
import { describeInBrowser, Stage, STAGE_TIMEOUT_MS } from './browser';

/** One question to the service and to the engine in the page. */
interface Question {
  check?: { medications: string[]; species?: 'human' | 'dog' | 'cat'; language?: string };
  new?: { name: string; dosage: string; medications?: string[]; species?: 'human' | 'dog' | 'cat' };
}

/** A line of a case file: a pair, a name, or a list as a person types it. */
interface Case {
  a?: string;
  b?: string;
  input?: string | string[];
  medications?: string[];
  species?: 'human' | 'dog' | 'cat';
  new?: { name: string; dosage: string };
}

const EVALUATION = join(__dirname, '../../libs/interactions/evaluation');
/** Every third case of the repository; all cases of the files that INTERACTION_CASES names, joined by a comma. */
const files = process.env.INTERACTION_CASES?.split(',') ?? [
  join(EVALUATION, 'names.jsonl'),
  join(EVALUATION, 'negatives.jsonl'),
];
const step = process.env.INTERACTION_CASES ? 1 : 3;
const PAGE_OF_QUESTIONS = 100;

function questionOf(one: Case): Question {
  const { a, b, input = [], medications = [], species } = one;
  const names = [...(a !== undefined && b !== undefined ? [a, b] : []), ...[input].flat(), ...medications];
  return one.new ? { new: { ...one.new, medications, species } } : { check: { medications: names, species } };
}

/** The names of members as the client has them. */
const inCamelCase = (json: string) =>
  json.replace(/"[a-z]+(?:_[a-z]+)+":/g, (name) =>
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  );

/** The engine of the built bundle, in a page that may talk only to the service, against the service itself. */
describeInBrowser('checks in a browser', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.start();
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const cases = files
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .filter((_, at) => at % step === 0)
    .map((line) => questionOf(JSON.parse(line) as Case));
  const common = readFileSync(join(EVALUATION, 'common-ingredients.txt'), 'utf8').trim().split('\n');
  const lists = [0, 60, 120].map((from) => common.slice(from, from + 60));
  const questions: Question[] = [
    ...cases,
    ...lists.map((medications) => ({ check: { medications } })),
    ...['Paxlovid', 'Coumadin', 'qqqq'].map((name) => ({ new: { name, dosage: '' } })),
    {
      new: { name: 'paracetamol', dosage: '2 tablets of 500 mg every 3 hours', medications: ['Tylenol PM'] },
    },
    { check: { medications: ['paracetamol', 'xylitol gum', 'lily'], species: 'cat' } },
    ...['de', 'es', 'fr'].map((language) => ({
      check: { medications: ['warfrin', 'Advil', 'qqqq'], language },
    })),
  ];

  it('find the same as the service, and tell it no name', async () => {
    const { token } = await anAccount(stage.service.api);
    const byService: string[] = [];
    for (const question of questions) {
      const { language = 'en', ...list } = question.check ?? { medications: [] };
      const body = question.new ?? list;
      const route = `/api/interactions/${question.new ? 'check-new' : 'check'}`;
      const headers = { 'Accept-Language': language };
      const answer = await stage.service.api.post(route, body, { token, headers });
      expect(answer.status).toBe(200);
      byService.push(inCamelCase(JSON.stringify(answer.body)));
    }
    const page = await stage.tab(await stage.profile());
    stage.proxy.requests.length = 0;
    for (let at = 0; at < questions.length; at += PAGE_OF_QUESTIONS) {
      const onDevice = await page.evaluate(
        async ({ url, asked }) => {
          inPage.client ??= inPage.openClient(url);
          const answers: string[] = [];
          for (const { check, new: added } of asked) {
            const { interactions } = inPage.client;
            const results = check ? await interactions.check(check) : await interactions.checkNew(added!);
            answers.push(JSON.stringify(results));
          }
          return answers;
        },
        { url: stage.proxy.url, asked: questions.slice(at, at + PAGE_OF_QUESTIONS) },
      );
      expect(onDevice).toEqual(byService.slice(at, at + PAGE_OF_QUESTIONS));
    }
    const findings = byService.reduce((sum, answer) => sum + (JSON.parse(answer) as unknown[]).length, 0);
    expect(findings).toBeGreaterThan(400);
    // One edition a language, and no name in it.
    const base = '/api/interactions/knowledge-base';
    expect(stage.proxy.requests.map(({ url }) => url)).toEqual([
      base,
      ...['de', 'es', 'fr'].map((language) => `${base}?language=${language}`),
    ]);
    expect(stage.complaints).toEqual([]);
  }, 300_000);
});
