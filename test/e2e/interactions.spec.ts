import { createEngine } from '@app/interactions';
import { expectFailure } from '@app/testing';
import { anAccount } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

interface Result {
  kind: string;
  severity: string;
  medications: string[];
  ingredients: string[];
  partners?: { ingredient: string; names: string[]; brands: string[] }[];
  [field: string]: unknown;
}

const FIELDS = [
  'kind',
  'severity',
  'action',
  'medications',
  'ingredients',
  'summary',
  'mechanism',
  'management',
  'evidence',
  'sources',
  'rule_id',
  'related_rules',
  'matches',
  'knowledge_version',
  'lang',
  'in_short',
];
const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor', 'unknown'];

describe('interactions', () => {
  let service: SharedService;
  let token: string;
  beforeAll(async () => {
    service = await sharedService();
    ({ token } = await anAccount(service.api));
  });

  const post = (route: string, body: unknown) =>
    service.api.post(`/api/interactions/${route}`, body, { token });
  const postIn = (language: string, route: string, body: unknown) =>
    service.api.post(`/api/interactions/${route}`, body, { token, headers: { 'Accept-Language': language } });
  const check = async (medications: string[], species?: string): Promise<Result[]> => {
    const { status, body } = await post('check', { medications, ...(species ? { species } : {}) });
    expect(status).toBe(200);
    return body;
  };
  const checkNew = async (body: object): Promise<Result[]> => {
    const answer = await post('check-new', { dosage: '', ...body });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const kindsOf = (results: Result[]) => results.map(({ kind }) => kind);

  describe('check', () => {
    it('answers with results of the contract’s shape, names as sent', async () => {
      const [result, ...rest] = await check(['Coumadin 5 mg', 'ibuprofen 400 mg']);
      expect(rest).toEqual([]);
      expect(Object.keys(result)).toEqual(FIELDS);
      expect(result).toMatchObject({
        kind: 'interaction',
        severity: 'major',
        action: expect.stringMatching(/^(avoid|adjust_dose|separate_doses|monitor|be_aware)$/),
        medications: ['Coumadin 5 mg', 'ibuprofen 400 mg'],
        ingredients: ['warfarin', 'ibuprofen'],
        evidence: expect.stringMatching(/^(established|probable|theoretical)$/),
        summary: expect.stringMatching(/\.$/),
        mechanism: expect.stringMatching(/\.$/),
        management: expect.stringMatching(/\.$/),
        rule_id: expect.any(String),
        related_rules: expect.any(Array),
        knowledge_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
      expect(result.sources).not.toEqual([]);
      for (const source of result.sources as object[])
        expect(Object.keys(source)).toEqual(expect.arrayContaining(['id', 'title', 'publisher', 'year']));
      expect(result.matches).toEqual([
        { input: 'Coumadin 5 mg', ingredient: 'warfarin', method: 'brand', confidence: 1 },
        { input: 'ibuprofen 400 mg', ingredient: 'ibuprofen', method: 'exact', confidence: 1 },
      ]);
    });

    it('sorts by severity', async () => {
      const results = await check([
        'qqqq',
        'ibuprofen',
        'naproxen',
        'sildenafil',
        'nitroglycerin',
        'warfarin',
      ]);
      const ranks = results.map(({ severity }) => SEVERITIES.indexOf(severity));
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      expect([ranks[0], ranks.at(-1)]).toEqual([0, 4]);
    });

    it.each([
      ['interaction', ['sildenafil', 'nitroglycerin'], undefined],
      ['duplicate_therapy', ['ibuprofen', 'naproxen'], undefined],
      ['food', ['simvastatin', 'grapefruit juice'], undefined],
      ['food', ['metronidazole', 'wine'], undefined],
      ['species_toxicity', ['paracetamol'], 'cat'],
      ['unrecognized', ['qqqq'], undefined],
      ['name_assumed', ['warfarn'], undefined],
      ['name_assumed', ['Glynase'], undefined],
      ['cumulative_burden', ['ramipril', 'furosemide', 'ibuprofen'], undefined],
      ['not_assessed', ['bempedoic acid'], 'cat'],
    ])('finds %s in %j', async (kind, medications, species) => {
      expect(kindsOf(await check(medications, species))).toContain(kind);
    });

    it('answers nothing where all is known and nothing is known against it', async () => {
      expect(await check([])).toEqual([]);
      expect(await check(['paracetamol', 'amoxicillin'])).toEqual([]);
      // Food counts only where it is named.
      expect(await check(['simvastatin'])).toEqual([]);
    });

    it('says of a name it does not know that it was not checked', async () => {
      const [result, ...rest] = await check(['paracetamol', 'qqqq']);
      expect(rest).toEqual([]);
      expect(Object.keys(result)).toEqual(FIELDS);
      expect(result).toMatchObject({
        kind: 'unrecognized',
        severity: 'unknown',
        action: 'be_aware',
        medications: ['qqqq'],
        ingredients: [],
        sources: [],
        related_rules: [],
        matches: [],
      });
      for (const text of [result.summary, result.mechanism, result.management]) {
        expect(text).toMatch(/not checked/);
      }
    });

    it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '\u{1f48a}', '%00', ' ', '<b>'])(
      'does not know the name %j',
      async (name) =>
        expect(await check([name])).toMatchObject([{ kind: 'unrecognized', medications: [name] }]),
    );

    it('checks for a person by default, and for the animal that is named', async () => {
      expect(kindsOf(await check(['paracetamol']))).toEqual([]);
      expect(kindsOf(await check(['paracetamol'], 'human'))).toEqual([]);
      expect(kindsOf(await check(['ibuprofen'], 'dog'))).toEqual(['species_toxicity']);
    });

    it('takes 100 names of 200 characters', async () => {
      const names = Array.from({ length: 100 }, (_, index) => `\u{1f48a}${index}`.padEnd(201, 'q'));
      expect(names.map((name) => [...name].length)).toEqual(names.map(() => 200));
      expect(kindsOf(await check(names))).toEqual(names.map(() => 'unrecognized'));
    });
  });

  describe('check-new', () => {
    it('checks the new name against each of the others, and them not against each other', async () => {
      const medications = ['warfarin', 'sildenafil', 'nitroglycerin', 'qqqq'];
      const results = await checkNew({ name: 'ibuprofen', medications });
      expect(results.map(({ kind, medications: names }) => [kind, [...names].sort()])).toEqual([
        ['interaction', ['ibuprofen', 'warfarin']],
        ['unrecognized', ['qqqq']],
      ]);
      for (const result of results) expect(Object.keys(result)).toEqual(FIELDS);
    });

    it('finds nothing against an empty list but what is wrong with the one', async () => {
      expect(await checkNew({ name: 'ibuprofen', medications: [] })).toEqual([]);
      expect(kindsOf(await checkNew({ name: 'qqqq', medications: [] }))).toEqual(['unrecognized']);
      const forCat = await checkNew({ name: 'paracetamol', medications: [], species: 'cat' });
      expect(kindsOf(forCat)).toContain('species_toxicity');
    });

    it('names the partners of everything known about the one where it gets no list', async () => {
      const results = await checkNew({ name: 'Coumadin' });
      expect(results.length).toBeGreaterThan(10);
      for (const result of results) expect(Object.keys(result)).toEqual([...FIELDS, 'partners']);
      const partners = results.flatMap((result) => result.partners!);
      const ibuprofen = partners.find(({ ingredient }) => ingredient === 'ibuprofen')!;
      expect(Object.keys(ibuprofen)).toEqual(['ingredient', 'names', 'brands']);
      expect(ibuprofen.names).toContain('ibuprofen');
      expect(ibuprofen.brands).toContain('Advil');
    });

    it.each(['classes', 'full'])(
      'names as partner whomever it finds when it gets the list: %s',
      async (detail) => {
        const { body: open } = await post(`check-new?detail=${detail}`, { name: 'warfarin', dosage: '' });
        for (const other of ['ibuprofen', 'amiodarone', 'metronidazole']) {
          const [found] = await checkNew({ name: 'warfarin', medications: [other] });
          const same = (open as Result[]).filter(({ partners }) =>
            partners!.some(({ names }) => names.includes(other)),
          );
          expect(same.map(({ severity }) => severity)).toContain(found.severity);
        }
      },
    );

    it('answers everything known about one drug in less than 64 kB, with details where they are asked for', async () => {
      const about = { name: 'Paxlovid', dosage: '' };
      const { body: classes } = await post('check-new', about);
      expect(Buffer.byteLength(JSON.stringify(classes))).toBeLessThan(64_000);
      expect((await post('check-new?detail=classes', about)).body).toEqual(classes);
      const { body: full } = await post('check-new?detail=full', about);
      const namesOf = (results: Result[]) =>
        new Set(results.flatMap(({ partners }) => partners!.flatMap(({ names }) => names)));
      expect(Buffer.byteLength(JSON.stringify(full))).toBeGreaterThan(200_000);
      expect(full.length).toBeGreaterThan(classes.length);
      for (const name of namesOf(classes)) expect(namesOf(full)).toContain(name);
      const [{ rule_id }] = classes;
      const { body: details } = await post(`check-new?detail=${rule_id}`, about);
      expect(details.length).toBeGreaterThan(5);
      for (const { severity } of details) expect(severity).toBe('contraindicated');
      expect((await post('check-new?detail=no-such-rule', about)).body).toEqual([]);
    });

    it('refuses a detail that is none, and any other parameter', async () => {
      const about = { name: 'Paxlovid', dosage: '' };
      for (const detail of ['', 'x'.repeat(101), '%00'])
        expectFailure(await post(`check-new?detail=${detail}`, about), 'validation_failed', 'detail');
      expectFailure(await post('check-new?detail=full&detail=full', about), 'validation_failed', 'detail');
      expectFailure(await post('check-new?person=x', about), 'validation_failed', 'person');
      expectFailure(await post('check?detail=full', { medications: [] }), 'validation_failed', 'detail');
    });

    it.each([
      ['500 mg three times a day', []],
      ['1000 mg eight times a day', ['dose_ceiling']],
      ['as the doctor said', ['dose_unchecked']],
      ['', []],
    ])('checks the dosage %j against the daily ceiling', async (dosage, kinds) => {
      expect(kindsOf(await checkNew({ name: 'paracetamol', dosage, medications: [] }))).toEqual(kinds);
    });
  });

  describe('the language', () => {
    it.each([
      ['de', 'de'],
      ['de-AT, en;q=0.8', 'de'],
      ['fr, es;q=0.7, en;q=0.5', 'es'],
      ['en;q=0.2, es;q=0.9', 'es'],
      ['de;q=0, es', 'es'],
      ['DE', 'de'],
      ['fr', 'en'],
      ['*', 'en'],
      ['', 'en'],
      [';;q=,,x', 'en'],
      ['de'.repeat(2000), 'en'],
    ])(
      'chosen by Accept-Language %j is %s, for statements and for the words of the engine',
      async (header, lang) => {
        const { status, body } = await postIn(header, 'check', {
          medications: ['warfarin', 'ibuprofen', 'qqqq'],
        });
        expect(status).toBe(200);
        expect(body).toMatchObject([
          { kind: 'interaction', lang, in_short: { lang } },
          { kind: 'unrecognized', lang, in_short: { lang } },
        ]);
      },
    );

    it('holds for a new drug too, and changes only the words', async () => {
      const about = { name: 'Coumadin', dosage: 'as the doctor said', medications: ['ibuprofen'] };
      const [english, german] = [
        (await postIn('en', 'check-new', about)).body as Result[],
        (await postIn('de', 'check-new', about)).body as Result[],
      ];
      expect(english.map(({ in_short }) => (in_short as { what_to_do: string }).what_to_do)).toEqual([
        expect.stringMatching(/^Ask your doctor or pharmacist today before you take/),
        expect.stringMatching(/^Compare the dose of warfarin with the leaflet/),
      ]);
      expect(german.map(({ in_short }) => (in_short as { what_to_do: string }).what_to_do)).toEqual([
        expect.stringMatching(/^Fragen Sie heute noch in der Arztpraxis oder Apotheke/),
        expect.stringMatching(/^Vergleichen Sie mit dem Beipackzettel, wie viel Warfarin/),
      ]);
      expect(german.map(({ rule_id, severity }) => [rule_id, severity])).toEqual(
        english.map(({ rule_id, severity }) => [rule_id, severity]),
      );
    });

    it('has one sentence on what to do now in every finding', async () => {
      const results = await check(['warfarin', 'ibuprofen', 'Tylenol', 'Glynase', 'qqqq', 'beer', 'warfrin']);
      expect(results.length).toBeGreaterThan(5);
      for (const { in_short } of results)
        expect((in_short as { what_to_do: string }).what_to_do).toMatch(/^\p{Lu}.*[^.]\.$/u);
    });
  });

  describe('resolve', () => {
    it('answers for each name in order what it was read as', async () => {
      const medications = ['Tylenol 500 mg', 'qqqq', 'warfarn', 'co-codamol', 'Tylenol 500 mg'];
      const { status, body } = await post('resolve', { medications });
      expect(status).toBe(200);
      expect(body.map(({ input }: { input: string }) => input)).toEqual(medications);
      expect((await post('resolve', { medications: [] })).body).toEqual([]);
      const read = { method: 'brand', confidence: 1, suggestions: [] };
      expect(body[0]).toEqual({ input: 'Tylenol 500 mg', ingredients: ['paracetamol'], ...read });
      expect(body[1]).toEqual({
        input: 'qqqq',
        ingredients: [],
        method: 'none',
        confidence: 0,
        suggestions: [],
      });
      expect(body[2]).toMatchObject({ ingredients: ['warfarin'], method: 'spelling' });
      expect(body[2].confidence).toBeLessThan(1);
      const [abroad] = (await post('resolve', { medications: ['Glynase'] })).body;
      expect(abroad.meanings.length).toBeGreaterThan(1);
      expect(abroad.confidence).toBeLessThan(1);
      expect(body[3]).toMatchObject({ ingredients: ['codeine', 'paracetamol'], method: 'combination' });
    });
  });

  describe('a request', () => {
    const TOO_MANY = Array.from({ length: 101 }, () => 'warfarin');
    const lists: [string, unknown][] = [
      ['a name alone', 'warfarin'],
      ['101 names', TOO_MANY],
      ['an empty name', ['']],
      ['a name of 201 characters', ['q'.repeat(201)]],
      ['a number as name', [5]],
      ['null as name', [null]],
      ['a list as name', [['warfarin']]],
      ['null', null],
    ];

    it.each(lists)('is refused with medications that are %s', async (_, medications) => {
      expectFailure(await post('check', { medications }), 'validation_failed', 'medications');
      expectFailure(await post('resolve', { medications }), 'validation_failed', 'medications');
      const checked = await post('check-new', { name: 'warfarin', dosage: '', medications });
      expectFailure(checked, 'validation_failed', 'medications');
    });

    it.each<[string, object, string[]]>([
      ['check', {}, ['medications']],
      ['check', { medications: [], species: 'horse' }, ['species']],
      ['check', { medications: [], species: null }, ['species']],
      ['check', { medications: [], profile_id: 'x' }, ['profile_id']],
      ['check', { medications: [], person: { age: 41 } }, ['person']],
      ['check-new', { name: 'warfarin', dosage: '', person: { pregnant: true } }, ['person']],
      ['resolve', { medications: [], person: {} }, ['person']],
      ['resolve', {}, ['medications']],
      ['resolve', { medications: [], species: 'cat' }, ['species']],
      ['check-new', {}, ['name', 'dosage']],
      ['check-new', { name: '', dosage: '' }, ['name']],
      ['check-new', { name: 'q'.repeat(201), dosage: '' }, ['name']],
      ['check-new', { name: 'warfarin' }, ['dosage']],
      ['check-new', { name: 'warfarin', dosage: null }, ['dosage']],
      ['check-new', { name: 'warfarin', dosage: 500 }, ['dosage']],
    ])('to %s is refused as %j', async (route, body, fields) => {
      expectFailure(await post(route, body), 'validation_failed', ...fields);
    });
  });

  it('are the same on a device that has downloaded the knowledge base', async () => {
    const { body } = await service.api.get('/api/interactions/knowledge-base');
    const engine = createEngine(body);
    const medications = ['warfarin', 'ibuprofen', 'grapefruit juice', 'qqqq'];
    expect(engine.check({ medications })).toEqual(await check(medications));
    for (const language of ['de', 'es']) {
      const edition = (await service.api.get(`/api/interactions/knowledge-base?language=${language}`)).body;
      const { body: answer } = await postIn(language, 'check', { medications });
      expect(createEngine(edition).check({ medications, language })).toEqual(answer);
    }
    expect(engine.checkNew({ name: 'Coumadin', dosage: '' })).toEqual(await checkNew({ name: 'Coumadin' }));
  });
});
