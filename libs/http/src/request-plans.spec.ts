import { OpaqueBlob, OpaqueJson } from '@app/opaque';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsOptional,
  IsString,
  Length,
  Validate,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { EmptyBody } from './empty-body';
import { UnsupportedRequestError } from './request-plan';
import { RequestPlans } from './request-plans';

class Part {
  @IsString() name: string;
}
class OtherPart {
  @IsString() name: string;
}
class NoRules {
  name: string;
}
class PartWithBlob {
  @OpaqueBlob() encrypted_data: OpaqueJson;
}
class Parts extends Array<Part> {}
@ValidatorConstraint()
class IsNice {
  validate() {
    return true;
  }
}
const byKind = (...values: (new () => object)[]) => ({
  discriminator: { property: 'kind', subTypes: values.map((value) => ({ name: value.name, value })) },
});

class Groups {
  @Length(1, 2, { groups: ['a'] }) one: string;
  @Validate(IsNice, { groups: ['a'] }) two: string;
  @ValidateNested({ groups: ['a'] }) @Type(() => Part) three: Part;
  @IsOptional({ groups: ['a'] }) @Expose({ groups: ['a'] }) four: string;
  @Allow() @Transform(({ value }) => value, { groups: ['a'] }) five: string;
}
class Versions {
  @IsString() @Expose({ since: 2 }) one: string;
  @IsString() @Transform(({ value }) => value, { until: 3 }) two: string;
}
class Message {
  @IsString({ message: '$value is no text' }) name: string;
}
class NestedWithoutType {
  @ValidateNested() part: Part;
  @ValidateNested() @Transform(({ value }) => value) other: Part;
}
class TypeWithoutNested {
  @Allow() @Type(() => Part) part: Part;
}
class NestedScalar {
  @ValidateNested() @Type(() => Number) number: number;
}
class NestedWithoutRules {
  @ValidateNested() @Type(() => NoRules) part: NoRules;
}
class NestedDeep {
  @ValidateNested() @Type(() => NestedWithoutType) part: NestedWithoutType;
}
class RequestDependent {
  @ValidateNested() @Type((help) => (help?.object.kind ? Part : OtherPart)) part: Part;
}
class NoClass {
  @ValidateNested() @Type(() => undefined as never) part: Part;
}
class OwnList {
  @ValidateNested() @Type(() => Part) parts: Parts;
}
class MapOfKinds {
  @ValidateNested() @Type(() => Part, byKind(Part, OtherPart)) parts: Map<string, Part>;
}
class NoKinds {
  @ValidateNested() @Type(() => Part, byKind()) part: Part;
}
class ScalarKinds {
  @Allow() @Type(() => String, byKind(Part)) part: string;
}
class PlainSet {
  @Allow() names: Set<string>;
  @Allow() map: Map<string, string>;
}
class NoRuleBeside {
  @IsString() name: string;
  @Type(() => Number) page: number;
  @Transform(({ value }) => value) text: string;
  @Expose() shown: string;
  @Exclude() @Type(() => Number) hidden: number;
}
class OpaqueChanged {
  @OpaqueBlob() @Type(() => String) one: OpaqueJson;
  @OpaqueBlob() @Transform(({ value }) => value) two: OpaqueJson;
  @OpaqueBlob() @Expose({ name: '3' }) three: OpaqueJson;
  @OpaqueBlob() @Expose() four: OpaqueJson;
}
class OpaqueNested {
  @ValidateNested() @Type(() => PartWithBlob) part: PartWithBlob;
}
class SameName {
  @IsString() @Expose({ name: 'b' }) a: string;
  @IsString() b: string;
}
class Method {
  @IsString() name: string;
  @Allow() act() {}
}
class Inherited {
  @Allow() valueOf: never;
}
class NeedsArguments {
  @IsString() name: string;
  constructor(part: Part) {
    this.name = part.name;
  }
}

/** Unsupported classes, and the sentences with which the service refuses to start. */
const REFUSED: [new (...args: never[]) => object, string[]][] = [
  [
    Groups,
    [
      'Groups.one: @Length has groups, and a request names none.',
      'Groups.two: @Validate(IsNice) has groups, and a request names none.',
      'Groups.three: @ValidateNested has groups, and a request names none.',
      'Groups.four: @IsOptional has groups, and a request names none.',
      'Groups.four: @Expose has groups, and a request names none.',
      'Groups.five: @Transform has groups, and a request names none.',
    ],
  ],
  [
    Versions,
    [
      'Versions.one: @Expose has since or until, and a request names no version.',
      'Versions.two: @Transform has since or until, and a request names no version.',
    ],
  ],
  [
    Message,
    ['Message.name: the message of @IsString has $value, and an answer must not repeat what a client sent.'],
  ],
  [
    NestedWithoutType,
    [
      'NestedWithoutType.part: @ValidateNested needs @Type, which names the class.',
      'NestedWithoutType.other: @ValidateNested needs @Type, which names the class.',
    ],
  ],
  [TypeWithoutNested, ['TypeWithoutNested.part: @Type with a class needs @ValidateNested beside it.']],
  [NestedScalar, ['NestedScalar.number: @ValidateNested needs a class in @Type.']],
  [
    NestedWithoutRules,
    ['NoRules: no field has a rule of class-validator; a body without fields is EmptyBody.'],
  ],
  [
    NestedDeep,
    [
      'NestedWithoutType.part: @ValidateNested needs @Type, which names the class.',
      'NestedWithoutType.other: @ValidateNested needs @Type, which names the class.',
    ],
  ],
  [
    RequestDependent,
    [
      'RequestDependent.part: the class that @Type names must not depend on the request; a discriminator may.',
    ],
  ],
  [NoClass, ['NoClass.part: @Type names no class (two files that import each other?).']],
  [
    OwnList,
    ['OwnList.parts: a class of its own for a list does not hold beside @Type; take Array, Set or Map.'],
  ],
  [MapOfKinds, ['MapOfKinds.parts: a discriminator does not hold in a Map.']],
  [NoKinds, ['NoKinds.part: a discriminator needs a property and subTypes.']],
  [ScalarKinds, ['ScalarKinds.part: a discriminator needs a class in @Type.']],
  [
    PlainSet,
    [
      'PlainSet.names: a Set or a Map needs @Type, which makes one of what is sent.',
      'PlainSet.map: a Set or a Map needs @Type, which makes one of what is sent.',
    ],
  ],
  [
    NoRuleBeside,
    ['page', 'text', 'shown'].map(
      (field) =>
        `NoRuleBeside.${field}: a decorator of class-transformer needs a rule of class-validator beside it, or @Allow.`,
    ),
  ],
  [
    OpaqueChanged,
    ['one', 'two', 'three'].map(
      (field) =>
        `OpaqueChanged.${field}: @OpaqueBlob holds a value as it was sent, without @Type, @Transform or a name in @Expose.`,
    ),
  ],
  [
    OpaqueNested,
    ['OpaqueNested.part: @Type names PartWithBlob, whose @OpaqueBlob holds only at the top of a body.'],
  ],
  [SameName, ['SameName.b: @Expose gives it the name of another field, b.']],
  [Method, ['Method.act: a method is no field.']],
  [Inherited, ['Inherited.valueOf: a field must not be named like a member of every object.']],
  [NeedsArguments, ['NeedsArguments: its constructor must do without arguments.']],
  [NoRules, ['NoRules: no field has a rule of class-validator; a body without fields is EmptyBody.']],
];

const sentencesOf = (plans: RequestPlans, dto: unknown): string[] => {
  try {
    plans.of(dto as never);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(UnsupportedRequestError);
    return (error as UnsupportedRequestError).sentences;
  }
};

describe('a DTO class whose decorators cannot hold', () => {
  it.each(REFUSED.map(([dto, sentences]) => [dto.name, sentences, dto] as const))(
    'is refused: %s',
    (_, sentences, dto) => {
      const plans = new RequestPlans();
      expect(sentencesOf(plans, dto).sort()).toEqual([...sentences].sort());
      // The class is still refused: no incomplete plan is kept.
      expect(sentencesOf(plans, dto)).toHaveLength(sentences.length);
    },
  );
});

describe('a plan', () => {
  it('is made once for each class', () => {
    const plans = new RequestPlans();
    expect(plans.of(Part)).toBe(plans.of(Part));
    expect([...plans.of(Part).fields.keys()]).toEqual(['name']);
    expect(plans.of(EmptyBody).fields.size).toBe(0);
  });
});
