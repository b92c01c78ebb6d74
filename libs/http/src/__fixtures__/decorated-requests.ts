import { OmitType, PartialType } from '@nestjs/swagger';
import { TOO_LARGE } from '@app/opaque';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  Contains,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatePromise,
  ValidatorConstraint,
} from 'class-validator';

@ValidatorConstraint({ async: true })
class IsFree {
  async validate(name: string) {
    return Promise.resolve(name !== 'taken');
  }
  defaultMessage() {
    return '$property is taken';
  }
}

@ValidatorConstraint({ name: 'isLonger' })
class IsLonger {
  validate(text: string, args?: { constraints: number[]; object: object; property: string }) {
    return typeof text === 'string' && text.length > args!.constraints[0] && args!.property in args!.object;
  }
}

const LaterEven = () => (object: object, propertyName: string) =>
  registerDecorator({
    target: object.constructor,
    propertyName,
    validator: { validate: (value: number) => Promise.resolve(value % 2 === 0) },
  });

enum Level {
  LOW = 'low',
  HIGH = 'high',
}

export class Part {
  @IsString() @Length(1, 5) name: string;
  @IsOptional() @IsInt() @Min(0) count?: number;
}
export class Tree {
  @IsString() name: string;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
}
export abstract class Shape {
  @IsString() label: string;
}
export class Circle extends Shape {
  @IsNumber() radius: number;
}
export class Square extends Shape {
  @IsNumber() side: number;
}
export const SUBTYPES = {
  property: 'kind',
  subTypes: [
    { name: 'circle', value: Circle },
    { name: 'square', value: Square },
  ],
};

export class WithCondition {
  @IsOptional() @IsString() kind?: string;
  @ValidateIf((o: WithCondition) => o.kind === 'other') @IsString() detail?: string;
}
export class WithOptional {
  @IsOptional() @IsEmail() email?: string;
}
export class WithDefined {
  @IsOptional() @IsDefined() id?: string;
  @IsDefined() must: unknown;
}
export class WithRules {
  @IsIn(['a', 'b']) one: string;
  @IsEnum(Level) level: Level;
  @Contains('x') text: string;
  @Validate(IsLonger, [3]) long: string;
  @ValidateBy({ name: 'even', validator: { validate: (value) => value % 2 === 0 } }) even: number;
  @IsString({ each: true }) @MaxLength(3, { each: true }) @ArrayMaxSize(3) tags: string[];
  @IsBoolean({ validateIf: (o: WithRules) => o.one === 'a' }) flag: boolean;
  @IsString({ always: true }) always: string;
  @Allow() any: unknown;
}
export class WithAsync {
  @Validate(IsFree) name: string;
}
export class WithLater {
  @LaterEven() @IsInt() number: number;
}
export class WithNested {
  @ValidateNested() @Type(() => Part) part: Part;
}
export class WithNestedList {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Part) parts: Part[];
}
export class WithSet {
  @ValidateNested({ each: true }) @Type(() => Part) parts: Set<Part>;
  @IsOptional() @IsInt({ each: true }) @Type(() => Number) numbers?: Set<number>;
}
export class WithMap {
  @ValidateNested({ each: true }) @Type(() => Part) parts: Map<string, Part>;
}
export class WithSubtypes {
  @ValidateNested() @Type(() => Shape, { discriminator: SUBTYPES }) shape: Shape;
}
export class WithKeptSubtypes {
  @IsArray()
  @ValidateNested()
  @Type(() => Shape, { discriminator: SUBTYPES, keepDiscriminatorProperty: true })
  shapes: Shape[];
}
export class WithScalars {
  @Type(() => Number) @IsInt() @Max(9) number: number;
  @Type(() => Date) @IsDate() date: Date;
  @Type(() => Boolean) @IsBoolean() flag: boolean;
  @Type(() => String) @IsString() text: string;
  @Type(() => Number) @IsInt({ each: true }) list: number[];
}
/** The parameter of a transform. class-transformer types its value as `any`. */
interface Given<Value> {
  value: Value;
  key: string;
  obj: { a: string };
}

export class WithTransforms {
  @Transform(({ value }: Given<unknown>) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(2)
  a: string;

  @Transform(({ value, obj, key }: Given<string>) => `${key}${value}${obj.a.length}`) @IsString() b: string;

  @Transform(({ value }: Given<number>) => value + 1)
  @Transform(({ value }: Given<number>) => value * 2)
  @IsInt()
  c: number;

  @Transform(() => 5, { toPlainOnly: true }) @IsString() d: string;
}
export class WithNames {
  @Expose({ name: 'loggedAt' }) @IsString() logged_at: string;
  @Expose() @Transform(({ value }: Given<unknown>) => value ?? 'none') @IsString() note: string;
  @Expose({ name: 'out', toPlainOnly: true }) @IsString() plain: string;
  @Exclude({ toPlainOnly: true }) @IsString() secret: string;
}
@Exclude()
export class WithStrategy {
  @Expose() @IsString() shown: string;
}
export class WithChild extends Part {
  @IsString() declare name: string;
  @IsString() extra: string;
}
export class WithPartial extends PartialType(OmitType(WithNestedList, [])) {}
export class WithPromise {
  @ValidatePromise()
  @IsString()
  @Transform(({ value }) => Promise.resolve(value === 'bad' ? 5 : value))
  name: Promise<string>;
}
export class WithDefaults {
  @IsInt() limit = 20;
  @IsOptional() @IsString() text?: string;
}
export class WithContext {
  @MaxLength(3, { context: TOO_LARGE }) text: string;
}
export class WithComputed {
  @IsInt() from: number;
  @IsInt() to: number;
  @IsIn([true]) get isOrdered() {
    return this.from <= this.to;
  }
}
