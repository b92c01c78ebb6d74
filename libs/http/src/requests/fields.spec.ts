import { PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt } from 'class-validator';
import { TextField, TimestampField } from './fields';
import { pipe, read, refusal } from './__fixtures__/piped-requests';

const refusedFields = async (dto: unknown, body: unknown) =>
  (await refusal(dto, body)).details!.map(({ field }) => field);

describe('fields of our own', () => {
  class Own {
    @TimestampField({ optional: true }) at?: string;
    @TextField({ optional: true, min: 1, max: 3 }) text?: string;
  }
  class OwnPartial extends PartialType(Own) {}

  it('reach the service in one form', async () => {
    expect(await read(Own, { at: '2026-01-02t03:04:05.123456+02:00' })).toEqual({
      at: '2026-01-02T01:04:05.123Z',
    });
    expect(await read(Own, {})).toEqual({ at: undefined, text: undefined });
  });

  it.each([null, 5, '', 'x', {}, []])('are refused where they cannot be read: %j', async (at) => {
    expect(await refusedFields(Own, { at })).toEqual(['at']);
    if (at !== null) expect(await refusedFields(OwnPartial, { at })).toEqual(['at']);
  });

  it('take null for no value where they say so', async () => {
    class Removable {
      @TimestampField({ optional: true, nullable: true }) at?: string | null;
      @TextField({ nullable: true, min: 1, max: 3 }) text: string | null;
    }
    expect(await read(Removable, { at: null, text: null })).toEqual({ at: null, text: null });
    expect(await refusedFields(Removable, { at: 5 })).toEqual(['at', 'text']);
  });

  it('take no null for "left out"', async () => {
    expect(await refusedFields(Own, { at: null, text: null })).toEqual(['at', 'text']);
  });
});

describe('queries and path parameters', () => {
  class Place {
    @IsInt() @Type(() => Number) shelf: number;
  }
  const param = (value: unknown, metatype: unknown, data?: string) =>
    pipe.transform(value, { type: 'param', metatype: metatype as never, data });

  it('are objects of their class', async () => {
    const query = Object.assign(Object.create(null) as object, { shelf: '5' });
    await expect(pipe.transform(query, { type: 'query', metatype: Place })).resolves.toEqual({ shelf: 5 });
    await expect(param({ shelf: '5' }, Place)).resolves.toBeInstanceOf(Place);
  });

  it('are refused where they break their rules', async () => {
    await expect(param({ shelf: 'x' }, Place)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('pass where they have no class', async () => {
    await expect(param('x', String, 'id')).resolves.toBe('x');
    await expect(param('5', Number, 'id')).resolves.toBe(5);
    await expect(param({ id: 'x' }, Object)).resolves.toEqual({ id: 'x' });
    await expect(pipe.transform('x', { type: 'custom', metatype: Place })).resolves.toBe('x');
  });
});
