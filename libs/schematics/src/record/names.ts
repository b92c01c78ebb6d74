import { SchematicsException, strings } from '@angular-devkit/schematics';
import pluralize from 'pluralize';
import { userOfName } from './taken-names';

/** Every spelling of the names of one record kind that the templates use. */
export interface RecordNames {
  /** `food-reaction`: file names. */
  kind: string;
  /** `food-reactions`: the folder, file names and routes. */
  plural: string;
  /** `FoodReaction` */
  kindClass: string;
  /** `FoodReactions` */
  pluralClass: string;
  /** `foodReaction` */
  kindVariable: string;
  /** `foodReactions` */
  pluralVariable: string;
  /** `food reaction` */
  kindWords: string;
  /** `food reactions` */
  pluralWords: string;
  /** `food_reactions` */
  table: string;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/**
 * PostgreSQL truncates identifiers after 63 bytes, and names of indexes are
 * longer than the name of the table.
 */
const MAX_NAME_LENGTH = 40;

/**
 * @throws SchematicsException if a name has other characters than letters, digits and hyphens, if it is
 * taken, or if the plural is the same word.
 */
export function namesOf(name: string, givenPlural?: string): RecordNames {
  const kind = checked(name);
  const plural = checked(givenPlural || pluralize(kind));
  if (kind === plural) {
    throw new SchematicsException(
      `The plural of ${kind} is the same word. Give another one, for example --plural=${kind}-records.`,
    );
  }
  for (const word of new Set([plural, pluralize(kind), kind])) {
    const user = userOfName(word.replaceAll('-', '_'));
    if (user) throw new SchematicsException(`The name ${word} is taken: ${user} uses it.`);
  }
  return {
    kind,
    plural,
    kindClass: strings.classify(kind),
    pluralClass: strings.classify(plural),
    kindVariable: strings.camelize(kind),
    pluralVariable: strings.camelize(plural),
    kindWords: kind.replaceAll('-', ' '),
    pluralWords: plural.replaceAll('-', ' '),
    table: plural.replaceAll('-', '_'),
  };
}

function checked(name: string): string {
  const kebab = strings.dasherize(name.trim());
  if (NAME.test(kebab) && kebab.length <= MAX_NAME_LENGTH) return kebab;
  throw new SchematicsException(
    `${name} is not a name: use letters, digits and hyphens, and at most ${MAX_NAME_LENGTH} of them.`,
  );
}
