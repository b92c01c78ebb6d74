import { OpaqueBlob, OpaqueJson, OpaqueString } from '@app/opaque';
import { Exclude, Transform, Type } from 'class-transformer';
import { Allow, IsOptional, IsString, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import {
  Tree,
  SUBTYPES,
  WithNested,
  WithNestedList,
  WithSet,
  WithMap,
  WithSubtypes,
  WithScalars,
  WithTransforms,
  WithNames,
  WithStrategy,
  WithContext,
  WithComputed,
} from './__fixtures__/decorated-requests';
import { EmptyBody } from './empty-body';
import { read, refusal } from './__fixtures__/piped-requests';

const copyOf = (body: object) => JSON.parse(JSON.stringify(body));
/** Rows for `it.each` that show the name of a class and not its source text. */
const named = <Rest extends unknown[]>(rows: [dto: new () => object, ...rest: Rest][]) =>
  rows.map(([dto, ...rest]) => [dto.name, ...rest, dto] as const);
const refusedFields = async (dto: unknown, body: unknown) =>
  (await refusal(dto, body)).details!.map(({ field }) => field);

describe('what stays as it is sent', () => {
  class Anything {
    @IsOptional() @Allow() any?: unknown;
    @IsOptional() @OpaqueBlob() encrypted_data?: OpaqueJson;
  }

  it('is a field without @Type or @Transform, with names that objects of JavaScript have', async () => {
    const any = JSON.parse('{"constructor":1,"toString":{"__proto__":2,"valueOf":[{"constructor":null}]}}');
    const request = await read(Anything, { any });
    expect(request.any).toBe(any);
    expect(JSON.stringify(request.any)).toContain('"__proto__":2');
  });

  it('is an opaque value', async () => {
    const encrypted_data = new OpaqueJson('{ "b": 1.50, "a": 1e400 }');
    expect((await read(Anything, { encrypted_data })).encrypted_data).toBe(encrypted_data);
  });

  it('is the request itself', async () => {
    const body = { shape: { kind: 'circle', label: 'a', radius: 1 } };
    const before = copyOf(body);
    await read(WithSubtypes, body);
    expect(body).toEqual(before);
  });

  it('is a name in a Map', async () => {
    const { parts } = await read(
      WithMap,
      JSON.parse('{"parts":{"constructor":{"name":"a"},"__proto__":{"name":"b"}}}'),
    );
    expect([...parts.keys()]).toEqual(['constructor', '__proto__']);
  });
});

describe('a field that no rule names', () => {
  it.each(
    named<[any, any]>([
      [WithNested, '{"part":{"name":"a","more":1}}', 'part.more'],
      [WithNestedList, '{"parts":[{"name":"a"},{"name":"b","more":1}]}', 'parts.1.more'],
      [WithSet, '{"parts":[{"name":"a","more":1}]}', 'parts.0.more'],
      [WithMap, '{"parts":{"x":{"name":"a","more":1}}}', 'parts.x.more'],
      [WithNested, '{"part":{"name":"a","constructor":1}}', 'part.constructor'],
      [WithNested, '{"part":{"name":"a","toString":1}}', 'part.toString'],
      [WithNested, '{"part":{"name":"a","__proto__":{"count":1}}}', 'part.__proto__'],
      [WithSubtypes, '{"shape":{"kind":"circle","label":"a","radius":1,"side":2}}', 'shape.side'],
      [WithNames, '{"loggedAt":"x","logged_at":"y","plain":"p","secret":"s"}', 'logged_at'],
      [WithStrategy, '{"shown":"x","hidden":"x"}', 'hidden'],
      [WithComputed, '{"from":1,"to":2,"isOrdered":true}', 'isOrdered'],
      [EmptyBody, '{"a":1}', 'a'],
    ]),
  )('is refused by its path: %s %s', async (_, body, field, dto) => {
    const { code, details } = await refusal(dto, JSON.parse(body));
    expect([code, details]).toEqual([
      'validation_failed',
      [{ field, message: `${field} is not a field of this request` }],
    ]);
  });

  it('is refused when class-transformer excludes it', async () => {
    class Closed {
      @IsString() name: string;
      @Exclude() @IsOptional() @IsString() role?: string;
    }
    expect(await refusedFields(Closed, { name: 'a', role: 'admin' })).toEqual(['role']);
  });

  it('is named with at most 99 others', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(await refusedFields(EmptyBody, many)).toHaveLength(100);
    expect(await refusedFields(WithNested, { part: { ...many, name: 'a' } })).toHaveLength(100);
    expect(await refusedFields(WithNestedList, { parts: Array(300).fill({ name: '' }) })).toHaveLength(100);
  });
});

describe('a refusal', () => {
  it.each(
    named<[any, any]>([
      [WithNested, { part: { name: 5 } }, ['part.name', 'part.name']],
      [WithNestedList, { parts: [{ name: 'a' }, { name: 'b', count: -1 }] }, ['parts.1.count']],
      [WithNestedList, { parts: [5] }, ['parts.0']],
      [
        Tree,
        { name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] },
        ['children.0.children.0.name'],
      ],
      [WithMap, { parts: { 'ä\n': { name: 'a', count: 'x' } } }, ['parts.??.count', 'parts.??.count']],
      [WithNames, { loggedAt: 5, plain: 'p', secret: 's' }, ['loggedAt']],
    ]),
  )('names the path as it was sent: %s %j', async (_, body, fields, dto) => {
    expect(await refusedFields(dto, body)).toEqual(fields);
  });

  it.each(
    named<[any, any]>([
      [WithNested, { part: [{ name: 'a' }] }, 'part must be an object'],
      [WithNestedList, { parts: { name: 'a' } }, 'parts must be a list'],
      [WithNestedList, { parts: [[{ name: 'a' }]] }, 'parts.0 must be an object'],
      [WithSet, { parts: { name: 'a' } }, 'parts must be a list'],
      [WithSet, { parts: [], numbers: 5 }, 'numbers must be a list'],
      [WithMap, { parts: [{ name: 'a' }] }, 'parts must be an object'],
    ]),
  )('keeps lists and objects apart, as the class declares them: %s %j', async (_, body, message, dto) => {
    expect((await refusal(dto, body)).details!.map((detail) => detail.message)).toContain(message);
  });

  it.each([null, [], 5, 'x', true])('says that a body is an object: %j', async (body) => {
    expect(await refusedFields(EmptyBody, body)).toEqual(['body']);
  });

  it('is payload_too_large where only sizes are wrong, and else validation_failed', async () => {
    class Sized {
      @IsOptional() @ValidateNested() @Type(() => WithContext) part?: WithContext;
      @OpaqueString() key: string;
    }
    const large = 'x'.repeat(5000);
    expect((await refusal(Sized, { key: large })).code).toBe('payload_too_large');
    expect((await refusal(Sized, { key: large, part: { text: 'long' } })).code).toBe('payload_too_large');
    expect((await refusal(Sized, { key: large, part: { text: 5 } })).code).toBe('payload_too_large');
    expect((await refusal(Sized, { key: 5, part: { text: 'long' } })).code).toBe('validation_failed');
    expect((await refusal(Sized, { key: large, more: 1 })).code).toBe('validation_failed');
  });

  it('names the subtypes that there are, where the base class is no DTO', async () => {
    class Base {}
    class Holder {
      @ValidateNested() @Type(() => Base, { discriminator: SUBTYPES }) shape: object;
    }
    for (const kind of ['x', 'constructor', null, {}, undefined])
      expect((await refusal(Holder, { shape: { kind } })).details).toEqual([
        { field: 'shape.kind', message: 'shape.kind must be one of circle, square' },
      ]);
  });

  it('stands in the way of a body that costs too much', async () => {
    const parts = (count: number) => ({ parts: Array.from({ length: count }, () => ({ name: 'a' })) });
    await expect(read(WithNestedList, parts(1000))).resolves.toBeDefined();
    expect(await refusedFields(WithNestedList, parts(1001))).toEqual(['parts.1000']);
  });

  it.each([['a @Transform that throws', { a: ' ab ', b: 'x', c: 1, d: 'x' }, { b: 'x', c: 1, d: 'x' }, 'b']])(
    'comes of %s',
    async (_, good, bad, field) => {
      await expect(read(WithTransforms, good)).resolves.toBeDefined();
      expect(await refusedFields(WithTransforms, bad)).toContain(field);
    },
  );

  it.each([
    '{"toString":1}',
    '{"valueOf":1,"toString":null}',
    '{"constructor":null}',
    '{"then":1}',
    '[[]]',
    '{}',
  ])('comes of a hostile value in place of a scalar: %s', async (json) => {
    for (const field of ['number', 'date', 'flag', 'text', 'list'])
      expect(await refusedFields(WithScalars, { [field]: JSON.parse(json) })).toContain(field);
  });

  it.each([
    ['{"constructor":null}', 'part.constructor'],
    ['{"constructor":{"prototype":null}}', 'part.constructor'],
    ['{"__proto__":[]}', 'part.__proto__'],
  ])('comes of a hostile object: %s', async (json, field) => {
    expect(await refusedFields(WithNested, { part: JSON.parse(json) })).toContain(field);
    expect((await refusal(WithNestedList, { parts: JSON.parse(json) })).code).toBe('validation_failed');
    expect((await refusal(WithMap, { parts: [JSON.parse(json)] })).code).toBe('validation_failed');
  });

  it('comes of a rule that fails at once; what fails later is no fault of the request', async () => {
    class Careless {
      @ValidateIf((o: { kind: string }) => o.kind.startsWith('a')) @IsString() name?: string;
      @Allow() kind: string;
    }
    class Asking {
      @ValidateBy({ name: 'asks', validator: { validate: () => Promise.reject(new Error('away')) } })
      name: string;
    }
    await expect(read(Careless, { kind: 'b' })).resolves.toBeDefined();
    expect(await refusedFields(Careless, { kind: 5 })).toEqual(['body']);
    for (let request = 0; request < 2; request++)
      await expect(read(Asking, { name: 'x' })).rejects.toThrow('away');
  });

  it('is all that comes of a promise that nobody waits for', async () => {
    class Waiting {
      @Transform(() => Promise.reject(new Error('nobody sees it'))) @IsString() name: string;
    }
    expect(await refusedFields(Waiting, { name: 'x' })).toEqual(['name']);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
