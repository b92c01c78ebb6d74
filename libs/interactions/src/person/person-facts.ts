import { fold, squash } from '../names/fold';
import { matchSelector, type TagSets } from '../rules/tag-closure';
import type { CompiledFact, KnowledgeBase } from '../compiled-base';
import type { KnownPerson, Person } from './person';

/** Under this age, a person is a child. In years. */
export const ADULT_AGE = 18;
/** Below this filtration rate, the kidneys are a fact that needs an assessment. */
const WEAK_KIDNEYS = 60;
/** More facts than these of one person are told as one. */
const MOST_FACTS = 50;
const LONGEST_FACT = 100;
/** Answers that name no illness and no allergy. */
const NO_FACT = new Set(['none', 'no', 'nil', 'nka', 'nkda', 'noknownallergies', 'keine', 'nein', 'ninguna', 'ninguno', 'nada']); // prettier-ignore

/** A fact of a person that a check was asked to regard. */
export interface AskedFact {
  /** `child`, `pregnancy`, `breastfeeding`, `kidneys`, or the illness or allergy as given. */
  fact: string;
  /** The facts of the base that it means; empty when the base does not know it. */
  ids: ReadonlySet<string>;
  /** The entry of the base that it names. */
  known?: CompiledFact;
  isAllergy: boolean;
  /** The ingredients that an allergy names. */
  allergens: readonly number[];
}

/** A person as the rules see it, and the facts that need a statement for each medicine. */
export interface ReadPerson {
  person: KnownPerson;
  asked: AskedFact[];
}

/** Reads the illnesses and allergies of a person against the facts of the base. */
export class PersonFacts {
  /** Made when a person is first read. */
  private byName: Map<string, number> | undefined;
  private readonly facts: readonly CompiledFact[];

  /** @param ingredientsOf the ingredients of an exact name; empty for any other text */
  constructor(
    base: KnowledgeBase,
    private readonly tags: TagSets,
    private readonly ingredientsOf: (name: string) => readonly number[],
  ) {
    this.facts = base.facts ?? [];
  }

  private positionOf(kind: CompiledFact['kind'], name: string): number | undefined {
    this.byName ??= new Map(
      this.facts.flatMap(({ id, kind: own, n }, position) =>
        [id, ...Object.values(n).flat()].map((each) => [keyOf(own, each), position] as const),
      ),
    );
    return this.byName.get(keyOf(kind, name));
  }

  read(given: Person): ReadPerson {
    const { sex, pregnant, breastfeeding, egfr, smokes, weight_kg } = given;
    const age = given.age_months === undefined ? given.age : given.age_months / 12;
    const illnesses = listed(given.conditions, given.other_conditions).map((fact) => this.illness(fact));
    const allergies = listed(given.allergies, given.other_allergies).map((fact) => this.allergy(fact));
    const built = [
      ...(age !== undefined && age < ADULT_AGE ? ['child'] : []),
      ...(pregnant ? ['pregnancy'] : []),
      ...(breastfeeding ? ['breastfeeding'] : []),
      ...(egfr !== undefined && egfr < WEAK_KIDNEYS ? ['kidneys'] : []),
    ].map((fact): AskedFact => ({ fact, ids: new Set([fact]), isAllergy: false, allergens: [] }));
    const idsOf = (facts: readonly AskedFact[]): Set<string> => new Set(facts.flatMap(({ ids }) => [...ids]));
    const person: KnownPerson = {
      ...{ age, sex, pregnant, breastfeeding, egfr, smokes, weight_kg },
      conditions: idsOf(illnesses),
      allergies: idsOf(allergies),
    };
    return { person, asked: [...built, ...illnesses, ...allergies] };
  }

  private illness(fact: string): AskedFact {
    const position = this.positionOf('condition', fact) ?? this.positionOf('condition', coreOf(fact));
    if (position === undefined) return { fact, ids: new Set(), isAllergy: false, allergens: [] };
    return {
      fact,
      ids: this.closure([position]),
      known: this.facts[position],
      isAllergy: false,
      allergens: [],
    };
  }

  /** An allergy to one medicine is also one to its group: "amoxicillin" means penicillins. */
  private allergy(fact: string): AskedFact {
    const core = coreOf(fact);
    const position = this.positionOf('allergy', fact) ?? this.positionOf('allergy', core);
    if (position !== undefined)
      return {
        fact,
        ids: this.closure([position]),
        known: this.facts[position],
        isAllergy: true,
        allergens: [],
      };
    const exact = this.ingredientsOf(fact);
    const allergens = exact.length > 0 ? exact : this.ingredientsOf(core);
    const groups = this.facts.flatMap(({ kind, covers }, group) =>
      kind === 'allergy' &&
      covers &&
      allergens.some((ingredient) => matchSelector(covers, ingredient, this.tags))
        ? [group]
        : [],
    );
    return { fact, ids: this.closure(groups), isAllergy: true, allergens };
  }

  private closure(positions: readonly number[]): Set<string> {
    const all = new Set(positions);
    for (const position of all) for (const next of this.facts[position].implies ?? []) all.add(next);
    return new Set([...all].map((position) => this.facts[position].id));
  }
}

/** Words around an illness or an allergy: "allergic to penicillin", "Penicillinallergie", "antecedentes de ictus". */
const FRAMES: readonly RegExp[] = [
  /^(?:i have |i am |he is |she is |ich habe |ich bin |tengo |soy )/,
  /^(?:(?:severe|bad|known|mild|strong|possible|suspected|schwere|bekannte|leichte|starke|grave|leve|fuerte) )+/,
  /^(?:allerg(?:y|ic|ies) (?:to|against) (?:the )?|allergi(?:e|sch) (?:gegen|auf) |alergi(?:a|co|ca) (?:al? |contra )(?:la |las |los |el )?)/,
  /(?: (?:allergy|allergies|intolerance)|[ -]?(?:allergie|unvertraglichkeit))$/,
  /^(?:history of (?:an? )?|previous |past |z\. ?n\. |zustand nach |fruher(?:er?|e)? |antecedentes? de |historia de )/,
];

/** The illness or allergy itself. */
function coreOf(fact: string): string {
  return FRAMES.reduce((text, frame) => text.replace(frame, ''), fold(fact).trim()).trim();
}

function keyOf(kind: CompiledFact['kind'], name: string): string {
  return `${kind} ${squash(fold(name))}`;
}

/** Each fact once, in a fixed order. What is beyond the limit is one fact, so that none is dropped. */
function listed(codes: readonly string[] = [], free: string | readonly string[] = []): string[] {
  const texts = typeof free === 'string' ? [free] : free;
  const all = [...codes, ...texts.flatMap((text) => text.split(/[\n,;]+/))]
    .map((text) => text.trim())
    .filter((text) => text !== '' && !NO_FACT.has(squash(fold(text))));
  const facts = [...new Set(all)].sort();
  const rest = facts.slice(MOST_FACTS).join(', ');
  return [...facts.slice(0, MOST_FACTS), ...(rest ? [rest] : [])].map((fact) => fact.slice(0, LONGEST_FACT));
}
