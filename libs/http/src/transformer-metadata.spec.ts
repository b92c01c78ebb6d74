import 'reflect-metadata';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { transformedProperties, transformerDecorators } from './transformer-metadata';

class Parent {
  @Type(() => Number) typed: number;
  @Expose({ name: 'other' }) exposed: string;
}
class Child extends Parent {
  @Transform(({ value }) => value as string) transformed: string;
  @Exclude() excluded: string;
  plain: string;
}
@Exclude()
class Closed {
  @Expose() shown: string;
  hidden: string;
}

describe('what class-transformer keeps of its decorators', () => {
  it('is found where this version keeps it', () => {
    expect(transformedProperties(Child).sort()).toEqual(['exposed', 'transformed', 'typed']);
    expect(transformerDecorators(Child, 'typed').type?.typeFunction()).toBe(Number);
    expect(transformerDecorators(Child, 'transformed').transforms).toHaveLength(1);
    expect(transformerDecorators(Child, 'exposed').expose?.options.name).toBe('other');
    expect(transformerDecorators(Child, 'excluded').isExcluded).toBe(true);
    expect(transformerDecorators(Child, 'plain')).toEqual({
      type: undefined,
      transforms: [],
      expose: undefined,
      isExcluded: false,
    });
    expect(transformerDecorators(Closed, 'shown').isExcluded).toBe(false);
    expect(transformerDecorators(Closed, 'hidden').isExcluded).toBe(true);
  });
});
