import { OmitType, PartialType } from '@nestjs/swagger';
import { OpaqueBlob, OpaqueJson, OpaqueString, TOO_LARGE } from '@app/opaque';
import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { EmptyBody } from './fields';
import { read, refusal } from './__fixtures__/piped-requests';

@ValidatorConstraint({ async: true })
class IsFree {
  validate = (name: string) => Promise.resolve(name !== 'taken');
  defaultMessage = () => '$property is taken';
}
class Part {
  @IsString() name: string;
  @IsOptional() @IsInt() count?: number;
}
class WithParts {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Part) parts: Part[];
}
class SomeParts extends PartialType(OmitType(WithParts, [])) {}
class Note {
  @Validate(IsFree) name: string;
  @IsOptional() @Type(() => Number) @IsInt() size?: number;
  @IsOptional()
  @Transform(({ value }) => String(value).trim())
  @MaxLength(3, { context: TOO_LARGE })
  tag?: string;
  @IsOptional() @Expose({ name: 'loggedAt' }) @IsString() logged_at?: string;
  @IsOptional() @Allow() any?: unknown;
  @IsOptional() @OpaqueBlob() encrypted_data?: OpaqueJson;
  @IsOptional() @OpaqueString() key?: string;
}

const refusedFields = async (dto: unknown, body: unknown) =>
  (await refusal(dto, body)).details!.map(({ field }) => field);

describe('a request', () => {
  it('is an object of its class, converted as the libraries do it', async () => {
    const any = { list: [1, { deep: null }] };
    const note = await read(Note, { name: 'a', size: '5', tag: ' x ', loggedAt: 'now', any });
    expect(note).toBeInstanceOf(Note);
    expect(note).toMatchObject({ name: 'a', size: 5, tag: 'x', logged_at: 'now', any });
    const { parts } = await read(SomeParts, { parts: [{ name: 'a' }] });
    expect(parts[0]).toBeInstanceOf(Part);
  });

  it('holds the very opaque value that the body reader has kept', async () => {
    const encrypted_data = new OpaqueJson('{ "b": 1.50, "a": 1e400 }');
    expect((await read(Note, { name: 'a', encrypted_data })).encrypted_data).toBe(encrypted_data);
  });

  it('may be absent where nothing is needed', async () => {
    expect(await read(EmptyBody, undefined)).toBeInstanceOf(EmptyBody);
    expect(await refusedFields(Part, undefined)).toEqual(['name']);
  });
});

describe('a refusal', () => {
  it.each<[string, unknown, object, string]>([
    ['at the top', EmptyBody, { a: 1 }, 'a'],
    ['in a list', WithParts, { parts: [{ name: 'a' }, { name: 'b', more: 1 }] }, 'parts.1.more'],
    ['with any name', EmptyBody, { 'ä\n': 1 }, '??'],
  ])('names a field that no rule names: %s', async (_, dto, body, field) => {
    const { code, message, details } = await refusal(dto, body);
    const sentence = `${field} is not a field of this request`;
    expect([code, message]).toEqual(['validation_failed', `The request is not valid: ${sentence}.`]);
    expect(details).toEqual([{ field, message: sentence }]);
  });

  it('names the path as it was sent', async () => {
    expect(await refusedFields(WithParts, { parts: [{ name: 'a' }, { name: 5 }] })).toEqual(['parts.1.name']);
    expect(await refusedFields(Note, { name: 'taken', size: 'x' })).toEqual(['name', 'size']);
  });

  it('names at most 100 fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
    expect(await refusedFields(EmptyBody, many)).toHaveLength(100);
    expect(await refusedFields(WithParts, { parts: Array(300).fill({ name: 5 }) })).toHaveLength(100);
  });

  it.each([null, [], [{ a: 1 }], 5, 'x', true])('says that a body is an object: %j', async (body) => {
    for (const dto of [EmptyBody, Part]) expect(await refusedFields(dto, body)).toEqual(['body']);
  });

  it('is payload_too_large where only sizes are wrong, and else validation_failed', async () => {
    const large = 'x'.repeat(5000);
    const codeOf = async (body: object) => (await refusal(Note, { name: 'a', ...body })).code;
    expect(await codeOf({ key: large })).toBe('payload_too_large');
    expect(await codeOf({ key: large, tag: 'long' })).toBe('payload_too_large');
    expect(await codeOf({ key: 5, tag: 'long' })).toBe('validation_failed');
    expect(await codeOf({ key: large, more: 1 })).toBe('validation_failed');
  });

  it('never has the value that was sent', async () => {
    const { message, details } = await refusal(Part, { name: 5, count: 'warfarin' });
    expect(JSON.stringify([message, details])).not.toContain('warfarin');
  });
});
