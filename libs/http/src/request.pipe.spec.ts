import { plainToInstance } from 'class-transformer';
import { validate, ValidateBy } from 'class-validator';
import {
  Tree,
  WithCondition,
  WithOptional,
  WithDefined,
  WithRules,
  WithAsync,
  WithLater,
  WithNested,
  WithNestedList,
  WithSet,
  WithMap,
  WithSubtypes,
  WithKeptSubtypes,
  WithScalars,
  WithTransforms,
  WithNames,
  WithStrategy,
  WithChild,
  WithPartial,
  WithPromise,
  WithDefaults,
  WithComputed,
} from './__fixtures__/decorated-requests';
import { read, refusal } from './__fixtures__/piped-requests';

const copyOf = (body: object) => JSON.parse(JSON.stringify(body));
const settled = async (request: object) =>
  Object.fromEntries(
    await Promise.all(Object.entries(request).map(async ([name, value]) => [name, await value])),
  );
/** Bodies for which the pipe and both libraries must agree on acceptance, result and refusal. */
const AGREED: [decorator: string, dto: new () => object, bodies: object[]][] = [
  [
    '@ValidateIf',
    WithCondition,
    [{}, { kind: 'x' }, { kind: 'other' }, { kind: 'other', detail: 'x' }, { detail: 5 }],
  ],
  [
    '@IsOptional',
    WithOptional,
    [{}, { email: null }, { email: 'a@b.example' }, { email: 'x' }, { email: 5 }],
  ],
  ['@IsDefined', WithDefined, [{}, { must: null }, { must: 0 }, { must: 1, id: null }]],
  [
    'rules with constraints, each, validateIf, always, @Validate, @ValidateBy, @Allow',
    WithRules,
    [
      {
        one: 'a',
        level: 'low',
        text: 'x',
        long: 'long',
        even: 2,
        tags: ['a'],
        flag: true,
        always: '',
        any: {},
      },
      { one: 'b', level: 'high', text: 'x', long: 'long', even: 2, tags: [], flag: 5, always: '' },
      { one: 'a', level: 'high', text: 'x', long: 'long', even: 2, tags: ['abcd', 5], flag: 5, always: 5 },
      {
        one: 'c',
        level: 'none',
        text: 'y',
        long: 'lon',
        even: 1,
        tags: ['a', 'b', 'c', 'd'],
        flag: true,
        always: 'a',
      },
      {},
    ],
  ],
  ['an async validator', WithAsync, [{ name: 'free' }, { name: 'taken' }, {}]],
  ['a validator that answers later', WithLater, [{ number: 2 }, { number: 3 }, { number: 'x' }]],
  [
    '@ValidateNested',
    WithNested,
    [
      { part: { name: 'a' } },
      { part: { name: '' } },
      { part: {} },
      { part: null },
      { part: 5 },
      { part: 'x' },
      {},
    ],
  ],
  [
    '@ValidateNested of a list',
    WithNestedList,
    [
      { parts: [] },
      { parts: [{ name: 'a' }, { name: 'b', count: 1 }] },
      { parts: [{ name: 'a' }, { name: 5, count: -1 }] },
      { parts: [null] },
      { parts: [5] },
      { parts: 5 },
    ],
  ],
  [
    'a class that holds itself',
    Tree,
    [
      { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
      { name: 'a', children: [{ name: 'b', children: [{ name: 5 }] }] },
    ],
  ],
  [
    'a Set',
    WithSet,
    [{ parts: [{ name: 'a' }], numbers: ['1', 2] }, { parts: [{ name: 5 }] }, { parts: [], numbers: ['x'] }],
  ],
  [
    'a Map',
    WithMap,
    [{ parts: { a: { name: 'a' } } }, { parts: { a: { name: 5 } } }, { parts: { a: 5 } }, { parts: 5 }],
  ],
  [
    'a discriminator',
    WithSubtypes,
    [
      { shape: { kind: 'circle', label: 'a', radius: 1 } },
      { shape: { kind: 'square', label: 'a', side: 'x' } },
      { shape: { kind: 'circle', label: 'a' } },
    ],
  ],
  [
    'a discriminator that is kept',
    WithKeptSubtypes,
    [
      {
        shapes: [
          { kind: 'circle', label: 'a', radius: 1 },
          { kind: 'square', label: 'b', side: 2 },
        ],
      },
      { shapes: [{ kind: 'circle', label: 'a', radius: 'x' }] },
    ],
  ],
  [
    '@Type of scalars',
    WithScalars,
    [
      { number: '5', date: '2026-01-02T03:04:05Z', flag: 'false', text: 5, list: ['1', 2] },
      { number: 'x', date: 'x', flag: 0, text: true, list: ['x'] },
      { number: null, date: null, flag: null, text: null, list: null },
      {},
    ],
  ],
  [
    '@Transform',
    WithTransforms,
    [
      { a: ' ab ', b: 'x', c: 1, d: 'x' },
      { a: ' a ', b: 'x', c: 'x', d: 5 },
    ],
  ],
  [
    '@Expose and @Exclude',
    WithNames,
    [
      { loggedAt: 'x', note: 'n', plain: 'p', secret: 's' },
      { loggedAt: 'x', plain: 'p', secret: 's' },
    ],
  ],
  ['the strategy of a class', WithStrategy, [{ shown: 'x' }, { shown: 5 }]],
  [
    'a class that extends another',
    WithChild,
    [{ name: 'longer', extra: 'x' }, { name: 'a' }, { name: 5, count: 'x', extra: 'x' }],
  ],
  [
    'PartialType and OmitType',
    WithPartial,
    [{}, { parts: [{ name: 'a' }] }, { parts: [{ name: 5 }] }, { parts: 5 }],
  ],
  ['@ValidatePromise', WithPromise, [{ name: 'good' }, { name: 'bad' }]],
  ['defaults and fields without a value', WithDefaults, [{}, { limit: 5 }, { limit: 'x' }, { text: 'x' }]],
  [
    'a rule on a getter',
    WithComputed,
    [
      { from: 1, to: 2 },
      { from: 2, to: 1 },
    ],
  ],
];

describe('what class-validator and class-transformer offer', () => {
  const cases = AGREED.flatMap(([decorator, dto, bodies]) =>
    bodies.map((body) => [decorator, JSON.stringify(body), dto, body] as const),
  );

  it.each(cases)('holds: %s %s', async (_, __, dto, body) => {
    const expected = plainToInstance(dto, copyOf(body));
    const errors = await validate(expected, { forbidUnknownValues: false });
    if (errors.length === 0) {
      const request = await read(dto, body);
      expect(await settled(request)).toEqual(await settled(expected));
      expect(request).toBeInstanceOf(dto);
    } else {
      const messages = (list: typeof errors): string[] =>
        list.flatMap(({ constraints = {}, children = [] }) => [
          ...Object.values(constraints),
          ...messages(children),
        ]);
      const { code, details } = await refusal(dto, body);
      expect(code).toBe('validation_failed');
      expect(details!.map(({ message }) => message).sort()).toEqual(messages(errors).sort());
    }
  });

  it('tries each decorator with what it accepts and what it refuses', async () => {
    for (const [decorator, dto, bodies] of AGREED) {
      const answers = await Promise.all(
        bodies.map((body) =>
          read(dto, body).then(
            () => true,
            () => false,
          ),
        ),
      );
      const isExempt = decorator === '@Expose and @Exclude';
      expect([decorator, [...new Set(answers)].sort()]).toEqual([
        decorator,
        isExempt ? [true] : [false, true],
      ]);
    }
  });

  it('asks a validator that answers later once a request', async () => {
    let asked = 0;
    class Counted {
      @ValidateBy({ name: 'later', validator: { validate: () => (asked++, Promise.resolve(true)) } })
      name: string;
    }
    for (let request = 0; request < 5; request++) await read(Counted, { name: 'x' });
    expect(asked).toBe(6);
  });
});
