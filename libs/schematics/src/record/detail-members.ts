import { SchematicsException } from '@angular-devkit/schematics';

/** One member of the encrypted document. */
export interface DetailMember {
  name: string;
  /** As the client spells it: `text`, `date?`. */
  type: string;
  /** A value for the test, as source text. */
  example: string;
}

const NAME = /^[a-z][a-zA-Z0-9]*$/;
/** The client keeps in these what lost a conflict. */
const TAKEN = new Set(['history', 'questions', 'constructor']);
const EXAMPLES: Record<string, string> = {
  text: "'Canary'",
  number: '1.5',
  boolean: 'true',
  date: "'2026-01-31'",
  time: "'2026-01-31T08:00:00+01:00'",
  json: '{ any: [1] }',
};

/**
 * Reads the members of the encrypted document from a comma-separated list: `name:type`, or `name` for a text. With `?` a
 * member may be absent.
 *
 * @throws SchematicsException if a name is not in camelCase, occurs twice or is reserved, or a type is unknown.
 */
export function detailMembersOf(list: string): DetailMember[] {
  const parts = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const members = parts.map((part) => {
    const [, name, type = 'text', optional] = /^([^:?]*)(?::([^?]*))?(\?)?$/.exec(part) ?? [];
    if (name === undefined || !NAME.test(name))
      throw new SchematicsException(`The member ${part} is not in camelCase.`);
    if (TAKEN.has(name)) throw new SchematicsException(`The client itself uses the member ${name}.`);
    if (!Object.hasOwn(EXAMPLES, type))
      throw new SchematicsException(
        `The member ${name} has no type ${type}. The types are ${Object.keys(EXAMPLES).join(', ')}.`,
      );
    return { name, type: type + (optional ?? ''), example: EXAMPLES[type] };
  });
  const twice = members.find(({ name }, at) => members.findIndex((each) => each.name === name) !== at);
  if (twice) throw new SchematicsException(`The member ${twice.name} is named twice.`);
  if (members.length === 0) throw new SchematicsException('The encrypted document needs a member.');
  return members;
}
