import type {
  CompiledBurden,
  CompiledCaution,
  CompiledDose,
  CompiledDuplicate,
  CompiledRule,
  CompiledSelector,
  CompiledSpeciesRule,
  CompiledStatement,
} from '../compiled-base';
import {
  ACTIONS,
  ALL_SPECIES,
  EVIDENCE_LEVELS,
  GRADED_SEVERITIES,
  type DoseUnit,
  type GradedSeverity,
  type Species,
} from '../types';
import { readCitations } from './citation-reader';
import { EntryReader, type Problems } from './entry-reader';
import type { Glossary } from './glossary';
import type { Entry } from './knowledge-reader';
import { lookUp, readSources, type Registry } from './name-compiler';
import { readDoseTerms } from './dose-terms';
import { readOverrides } from './override-reader';
import { namesNobody } from './plain-words';
import { readReview, type Review, type ReviewPolicy } from './review-terms';
import { TRANSLATED, type Translated, type Translations } from './translations';
import { isUsable, readExceptions, readSelector } from './selector-reader';

const SEVERITIES_OF_RULES = [...GRADED_SEVERITIES, 'none'] as const;
const DOSE_UNITS = ['mg', 'mcg', 'g', 'IU'] as const;

/**
 * Compiles every entry that has an id and a severity. Results carry the ids, so each id is unique over all
 * entries.
 */
export class RuleCompiler {
  readonly texts: string[] = [];
  /** The texts in the other languages, at the same positions. */
  readonly translated = Object.fromEntries(TRANSLATED.map((language) => [language, []])) as unknown as Record<
    Translated,
    string[]
  >;
  /** For each rule, the rules that it replaces. The author declares them with a reason. */
  readonly declared = new Map<string, ReadonlySet<string>>();
  /** For each rule, ingredients that its texts may name although the rule is not about them. */
  readonly mentions = new Map<string, ReadonlySet<number>>();
  /** The review of each statement: its day, the reviewer, and the day of the next review. */
  readonly reviews: Review[] = [];
  private readonly textPositions = new Map<string, number>();
  private readonly ids = new Map<string, string>();
  private readonly pairRules = new Map<string, string>();
  private readonly formerIds: { reader: EntryReader; former: string }[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly glossary: Glossary,
    private readonly translations: Translations,
    private readonly policy: ReviewPolicy,
    private readonly problems: Problems,
  ) {}

  rules(entries: readonly Entry[]): CompiledRule[] {
    const overriding: { reader: EntryReader; overrides: string[] }[] = [];
    const rules = entries.flatMap((entry): CompiledRule[] => {
      const reader = new EntryReader(entry, 'rule', this.problems, 'id');
      const id = this.id(reader, entry);
      const kind = reader.oneOf('kind', ['interaction', 'food'] as const, 'interaction');
      const severity = reader.oneOf('severity', SEVERITIES_OF_RULES);
      const a = readSelector(reader, 'a', reader.raw('a'), this.registry);
      const b = readSelector(reader, 'b', reader.raw('b'), this.registry);
      const species = this.species(reader);
      const overrides = readOverrides(reader, this.registry, severity);
      const except = readExceptions(reader, this.registry);
      const keepLocal = this.keepLocal(reader);
      const minorWhereNamed = reader.texts('minor_where_named');
      const mentions = reader
        .texts('mentions')
        .map((inn) => lookUp(reader, 'ingredients', inn, this.registry) ?? -1);
      if (mentions.length > 0) this.mentions.set(id, new Set(mentions));
      const common = {
        id,
        a,
        b,
        ...(kind === 'food' && { kind }),
        ...(species && { species }),
        ...(except && { except }),
      };
      const extra = {
        ...(overrides.length > 0 && { overrides }),
        ...(keepLocal && { keepLocal }),
        ...(minorWhereNamed.length > 0 && { minorWhereNamed }),
      };
      overriding.push({ reader, overrides });
      this.refuseSecondPairRule(reader, id, a, b, species, overrides);
      if (severity === 'none') {
        reader.text('reason');
        this.reviews.push(readReview(reader, id, severity, this.policy));
        const sources = readSources(reader, this.registry, 1);
        const former = this.formerly(reader);
        reader.refuseOthers();
        return isUsable(a) && isUsable(b) ? [{ ...common, ...former, ...extra, severity, sources }] : [];
      }
      const statement = this.statement(reader, id, severity);
      reader.refuseOthers();
      return isUsable(a) && isUsable(b) ? [{ ...common, ...statement, ...extra }] : [];
    });
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    for (const { reader, overrides } of overriding) {
      for (const other of overrides) {
        if (!byId.has(other)) reader.complain(`'overrides' names the unknown rule '${other}'`);
      }
    }
    return rules.map((rule) => {
      if (!rule.overrides) return rule;
      this.declared.set(rule.id, new Set(rule.overrides));
      const { overrides, ...others } = rule;
      const needed = overrides.filter((id) => !speaksFirst(rule, byId.get(id)));
      return needed.length > 0 ? { ...others, overrides: needed } : others;
    });
  }

  duplicates(entries: readonly Entry[]): CompiledDuplicate[] {
    return entries.flatMap((entry): CompiledDuplicate[] => {
      const reader = new EntryReader(entry, 'duplicate class', this.problems, 'id');
      const id = this.id(reader, entry);
      const tagName = reader.optionalText('tag');
      const ingredientName = reader.optionalText('ingredient');
      const sameIngredient = reader.raw('same_ingredient') === true;
      const tag = tagName === undefined ? undefined : lookUp(reader, 'tags', tagName, this.registry);
      const ingredient =
        ingredientName === undefined
          ? undefined
          : lookUp(reader, 'ingredients', ingredientName, this.registry);
      if (
        [tagName !== undefined, ingredientName !== undefined, sameIngredient].filter(Boolean).length !== 1
      ) {
        reader.complain(`needs exactly one of 'tag', 'ingredient', 'same_ingredient: true'`);
      }
      const except = readExceptions(reader, this.registry);
      const keepLocal = reader.raw('local_routes') === 'same' ? ('same' as const) : this.keepLocal(reader);
      const statement = this.statement(reader, id, reader.oneOf('severity', GRADED_SEVERITIES));
      reader.refuseOthers();
      if (
        (tagName !== undefined && tag === undefined) ||
        (ingredientName !== undefined && ingredient === undefined)
      )
        return [];
      return [
        {
          ...statement,
          ...(tag !== undefined && { tag }),
          ...(ingredient !== undefined && { ingredient }),
          ...(except && { except }),
          ...(keepLocal && { keepLocal }),
        },
      ];
    });
  }

  doses(entries: readonly Entry[]): CompiledDose[] {
    return entries.flatMap((entry): CompiledDose[] => {
      const reader = new EntryReader(entry, 'dose', this.problems, 'id');
      const id = this.id(reader, entry);
      const ingredient = lookUp(reader, 'ingredients', reader.text('ingredient'), this.registry);
      const written = reader.oneOf('unit', DOSE_UNITS, 'mg');
      const unit: DoseUnit = written === 'IU' ? 'IU' : 'mg';
      const factor = written === 'g' ? 1000 : written === 'mcg' ? 0.001 : 1;
      const limit = (field: string): number | undefined => {
        const inMg = reader.number(`${field}_mg`);
        const inUnit = reader.number(field);
        if (inMg !== undefined && (inUnit !== undefined || written !== 'mg')) {
          reader.complain(`write either '${field}_mg' or '${field}' with 'unit'`);
        }
        return inMg ?? (inUnit === undefined ? undefined : inUnit * factor);
      };
      const maxDaily = limit('max_daily');
      const maxWeekly = limit('max_weekly');
      const weekly = reader.has('frequency') && reader.oneOf('frequency', ['weekly'] as const) === 'weekly';
      const terms = readDoseTerms(reader);
      if (maxDaily === undefined && maxWeekly === undefined && !weekly && !terms.schedule && !terms.patch) {
        reader.complain(`needs 'max_daily_mg', 'max_weekly_mg', 'frequency: weekly', 'schedule' or 'patch'`);
      }
      const routes = reader.texts('routes');
      const species = this.species(reader);
      const statement = this.statement(reader, id, reader.oneOf('severity', GRADED_SEVERITIES));
      reader.refuseOthers();
      if (ingredient === undefined) return [];
      return [
        {
          ...statement,
          ingredient,
          unit,
          ...(written === 'mcg' && { micrograms: true as const }),
          ...(maxDaily !== undefined && { maxDaily }),
          ...(maxWeekly !== undefined && { maxWeekly }),
          ...(weekly && { weekly }),
          ...terms,
          ...(routes.length > 0 && { routes }),
          ...(species && { species }),
        },
      ];
    });
  }

  speciesRules(entries: readonly Entry[]): CompiledSpeciesRule[] {
    return entries.flatMap((entry): CompiledSpeciesRule[] => {
      const reader = new EntryReader(entry, 'species rule', this.problems, 'id');
      const id = this.id(reader, entry);
      const species = this.species(reader);
      if (!species) reader.complain(`'species' is missing`);
      const a = readSelector(reader, 'a', reader.raw('a'), this.registry);
      const except = readExceptions(reader, this.registry);
      const severity = reader.oneOf('severity', SEVERITIES_OF_RULES);
      const statement =
        severity === 'none' ? this.assessed(reader, id) : this.statement(reader, id, severity);
      reader.refuseOthers();
      return species && isUsable(a) ? [{ ...statement, species, a, ...(except && { except }) }] : [];
    });
  }

  /** An assessed substance that needs no warning: it has a reason, sources and a date instead of texts. */
  private assessed(reader: EntryReader, id: string): Omit<CompiledSpeciesRule, 'species' | 'a'> {
    reader.text('reason');
    reader.date('reviewed');
    const sources = readSources(reader, this.registry, 1);
    const none = this.text(
      '',
      TRANSLATED.map(() => ''),
    );
    return {
      id,
      severity: 'none',
      action: 'be_aware',
      summary: none,
      mechanism: none,
      management: none,
      sources,
    };
  }

  /** An entry of figures only: the engine has its texts. */
  figures(
    reader: EntryReader,
    entry: Entry,
    severity: GradedSeverity,
  ): Pick<CompiledStatement, 'id' | 'severity' | 'action' | 'sources' | 'cited'> {
    const id = this.id(reader, entry);
    this.reviews.push(readReview(reader, id, severity, this.policy));
    const least = severity === 'contraindicated' || severity === 'major' ? 2 : 1;
    return { id, severity, action: 'adjust_dose', ...readCitations(reader, this.registry, least) };
  }

  /** The id and texts of a caution, and the cases to which it does not apply. */
  cautionStatement(
    reader: EntryReader,
    entry: Entry,
    severity: GradedSeverity,
  ): Omit<CompiledCaution, 'when' | 'a'> {
    const except = readExceptions(reader, this.registry);
    const keepLocal = this.keepLocal(reader);
    const statement = this.statement(reader, this.id(reader, entry), severity);
    return { ...statement, ...(except && { except }), ...(keepLocal && { keepLocal }) };
  }

  /** The id and texts of a burden. It needs two sources when it can be severe. */
  burdenStatement(
    reader: EntryReader,
    entry: Entry,
    worst: GradedSeverity,
  ): Omit<CompiledBurden, 'members' | 'grades'> {
    // The points decide the severity, so nothing reads this one.
    return this.statement(reader, this.id(reader, entry), worst);
  }

  private statement(
    reader: EntryReader,
    id: string,
    severity: CompiledStatement['severity'],
  ): CompiledStatement {
    const evidence = reader.oneOf('evidence', EVIDENCE_LEVELS);
    const [summary, mechanism, management] = this.words(reader, id);
    const statement: CompiledStatement = {
      id,
      ...this.formerly(reader),
      severity,
      action: reader.oneOf('action', ACTIONS),
      ...(evidence !== 'established' && { evidence }),
      summary,
      mechanism,
      management,
      ...readCitations(reader, this.registry, severity === 'contraindicated' || severity === 'major' ? 2 : 1),
    };
    this.reviews.push(readReview(reader, id, severity, this.policy));
    return statement;
  }

  /** Earlier ids of an entry. No current entry may have one of them. */
  private formerly(reader: EntryReader): { formerly?: string[] } {
    const formerly = reader.texts('formerly');
    for (const former of formerly) this.formerIds.push({ reader, former });
    return formerly.length > 0 ? { formerly } : {};
  }

  /** Complains about earlier ids that are in use, or that two entries claim. Call it after all entries. */
  checkFormerIds(): void {
    const known = new Set<string>();
    for (const { reader, former } of this.formerIds) {
      if (this.ids.has(former)) reader.complain(`'formerly' names '${former}', which is another entry today`);
      else if (known.has(former)) reader.complain(`'formerly' names '${former}' a second time`);
      known.add(former);
    }
  }

  /**
   * The positions of the three texts, with their terms explained. Complains about unclear advice and unknown
   * abbreviations.
   */
  private words(reader: EntryReader, id: string): number[] {
    const texts = [
      reader.sentences('summary', 1),
      reader.sentences('mechanism', 2),
      reader.sentences('management', 2),
    ];
    if (namesNobody(texts[2]))
      reader.complain(
        `'management' changes or stops a medicine and names nobody who decides (doctor, pharmacist, clinic …)`,
      );
    for (const term of this.glossary.unknownIn(texts.join(' ')))
      reader.complain(`the abbreviation '${term}' is not in the glossary; write it out, or explain it there`);
    const translated = this.translations.translate(id, texts);
    return this.glossary.explain(texts).map((text, part) =>
      this.text(
        text,
        TRANSLATED.map((language) => translated[language][part]),
      ),
    );
  }

  private text(text: string, translated: readonly string[]): number {
    const key = [text, ...translated].join('\n');
    const known = this.textPositions.get(key);
    if (known !== undefined) return known;
    this.textPositions.set(key, this.texts.length);
    for (const [i, language] of TRANSLATED.entries()) this.translated[language].push(translated[i]);
    return this.texts.push(text) - 1;
  }

  private id(reader: EntryReader, entry: Entry): string {
    const id = reader.text('id');
    if (!id) return id;
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
      reader.complain(`'id' must be small letters and digits joined by hyphens`);
    const where = this.ids.get(id);
    if (where) reader.complain(`the id exists already (${where})`);
    this.ids.set(id, `${entry.file}:${entry.line}`);
    return id;
  }

  private species(reader: EntryReader): Species[] | undefined {
    if (!reader.has('species')) return undefined;
    const listed = reader.texts('species');
    for (const name of listed) {
      if (!ALL_SPECIES.includes(name as Species))
        reader.complain(`unknown species '${name}'; allowed are ${ALL_SPECIES.join(', ')}`);
    }
    const known = listed.filter((name): name is Species => ALL_SPECIES.includes(name as Species));
    return known.length > 0 ? known : undefined;
  }

  private keepLocal(reader: EntryReader): true | undefined {
    const value = reader.raw('local_routes');
    if (value !== undefined && value !== 'keep') reader.complain(`'local_routes' can only be 'keep'`);
    return value === 'keep' ? true : undefined;
  }

  /** Reads a selector: a tag, an ingredient, or a list of them under `any`. */
  selector(reader: EntryReader, side: string, value: unknown): CompiledSelector {
    return readSelector(reader, side, value, this.registry);
  }

  private refuseSecondPairRule(
    reader: EntryReader,
    id: string,
    a: CompiledSelector,
    b: CompiledSelector,
    species: Species[] | undefined,
    overrides: readonly string[],
  ): void {
    if (a.t || b.t || a.i?.length !== 1 || b.i?.length !== 1) return;
    if (a.i[0] === b.i[0]) reader.complain('both sides are the same ingredient');
    const key = `${[a.i[0], b.i[0]].sort((x, y) => x - y).join()}/${species?.join() ?? ''}`;
    const other = this.pairRules.get(key);
    if (other !== undefined && !overrides.includes(other))
      reader.complain(`the pair has a rule of its own already: '${other}'`);
    this.pairRules.set(key, id);
  }
}

/** True when a rule is always more precise than another. It then decides the pair without an override. */
function speaksFirst(rule: CompiledRule, other: CompiledRule | undefined): boolean {
  if (!other || rule.a.t || rule.b.t) return false;
  const isPair = (of: CompiledRule): boolean =>
    !of.a.t && !of.b.t && of.a.i?.length === 1 && of.b.i?.length === 1;
  return isPair(rule) ? !isPair(other) : !other.a.i || !other.b.i;
}
