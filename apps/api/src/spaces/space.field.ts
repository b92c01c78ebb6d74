import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isUuid, SPACE_ROLES } from '@app/common';
import { CheckedField, EnumField, type FieldOptions } from '@app/http';
import { IsOptionalField, TOO_LARGE } from '@app/opaque';
import { ValidateBy } from 'class-validator';
import { Base64Field } from '@app/security';
import { versionOfRoster } from './roster.rule';

/** Of a roster, an offer and an acceptance. */
export const MAX_SEALED_BYTES = 8 * 1024;
/** Encapsulation, sealed key and signature. */
const WRAP_BYTES = 1120 + 48 + 64;
const EXAMPLE_ROSTER = `${Buffer.from('{"v":1,"version":2}').toString('base64')}.c2lnbmF0dXJl`;

export function SpaceWrapField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The key of the profile, sealed to one member, and signed.';
  return Base64Field({ description, ...options, bytes: WRAP_BYTES });
}

export function SpaceRoleField(options: FieldOptions = {}): PropertyDecorator {
  return EnumField({ example: 'carer', ...options, values: SPACE_ROLES });
}

/** A signed list of the members, at most 8 KiB. */
export function RosterField({ optional }: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    ...(optional ? [IsOptionalField()] : []),
    ...rosterRules({}),
    ApiProperty({
      required: !optional,
      type: String,
      description: 'The members, signed by the sender: base64 of the JSON, a point, base64 of the signature.',
      example: EXAMPLE_ROSTER,
    }),
  );
}

/** The newest roster, and those before it that the service lacks. */
export function RostersField({ most }: { most: number }): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name: 'rosters',
      validator: {
        validate: (value) => Array.isArray(value) && value.length >= 1 && value.length <= most,
        defaultMessage: () => `$property must be a list of 1 to ${most} rosters`,
      },
    }),
    ...rosterRules({ each: true }),
    ApiProperty({ type: [String], minItems: 1, maxItems: most, example: [EXAMPLE_ROSTER] }),
  );
}

function rosterRules(each: { each?: true }): PropertyDecorator[] {
  const isLarge = (value: unknown) =>
    typeof value === 'string' && Buffer.byteLength(value) > MAX_SEALED_BYTES;
  return [
    ValidateBy(
      {
        name: 'roster',
        validator: {
          validate: (value) => isLarge(value) || versionOfRoster(value) !== undefined,
          defaultMessage: () => '$property must be a signed roster with a version',
        },
      },
      each,
    ),
    ValidateBy(
      {
        name: 'maxRosterBytes',
        validator: {
          validate: (value) => !isLarge(value),
          defaultMessage: () => `$property must be at most ${MAX_SEALED_BYTES} bytes`,
        },
      },
      { ...each, context: TOO_LARGE },
    ),
  ];
}

/** Ids of accounts. */
export function MemberIdsField({ most, ...options }: FieldOptions & { most: number }): PropertyDecorator {
  const isList = (value: unknown) => Array.isArray(value) && value.length <= most && value.every(isUuid);
  return CheckedField(options, 'memberIds', `must be a list of at most ${most} UUIDs`, isList, {
    type: [String],
    format: 'uuid',
    maxItems: most,
    example: [],
  });
}
