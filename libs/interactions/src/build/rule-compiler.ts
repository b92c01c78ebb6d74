import {
  ACTIONS,
  ALL_SPECIES,
  EVIDENCE_LEVELS,
  GRADED_SEVERITIES,
  type CompiledDose,
  type CompiledDuplicate,
  type CompiledException,
  type CompiledRule,
  type CompiledSelector,
  type CompiledSpeciesRule,
  type CompiledStatement,
  type DoseUnit,
  type Species,
} from '../types';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { lookUp, readSources, type Registry } from './name-compiler';

const SEVERITIES_OF_RULES = [...GRADED_SEVERITIES, 'none'] as const;
const DOSE_UNITS = ['mg', 'mcg', 'g', 'IU'] as const;

/** Compiles everything that has an id and a severity. Ids are unique over all of it, because results carry them. */
export class RuleCompiler {
  readonly texts: string[] = [];
  private readonly textPositions = new Map<string, number>();
  private readonly ids = new Map<string, string>();
  private readonly pairRules = new Map<string, string>();

  constructor(
    private readonly registry: Registry,
    private readonly problems: Problems,
  ) {}

  rules(entries: readonly Entry[]): CompiledRule[] {
    const overriding: { reader: EntryReader; overrides: string[] }[] = [];
    const rules = entries.flatMap((entry): CompiledRule[] => {
      const reader = new EntryReader(entry, 'rule', this.problems, 'id');
      const id = this.id(reader, entry);
      const kind = reader.oneOf('kind', ['interaction', 'food'] as const, 'interaction');
      const severity = reader.oneOf('severity', SEVERITIES_OF_RULES);
      const a = this.selector(reader, 'a', reader.raw('a'));
      const b = this.selector(reader, 'b', reader.raw('b'));
      const species = this.species(reader);
      const overrides = reader.texts('overrides');
      const except = this.exceptions(reader);
      const keepLocal = this.keepLocal(reader);
      const common = {
        id,
        a,
        b,
        ...(kind === 'food' && { kind }),
        ...(species && { species }),
        ...(except && { except }),
      };
      const extra = { ...(overrides.length > 0 && { overrides }), ...(keepLocal && { keepLocal }) };
      overriding.push({ reader, overrides });
      this.refuseSecondPairRule(reader, id, a, b, species, overrides);
      if (severity === 'none') {
        reader.text('reason');
        reader.date('reviewed');
        const sources = readSources(reader, this.registry, 1);
        reader.refuseOthers();
        return isUsable(a) && isUsable(b) ? [{ ...common, ...extra, severity, sources }] : [];
      }
      const statement = this.statement(reader, id, severity, true);
      reader.refuseOthers();
      return isUsable(a) && isUsable(b) ? [{ ...common, ...statement, ...extra }] : [];
    });
    for (const { reader, overrides } of overriding) {
      for (const other of overrides) {
        if (!rules.some((rule) => rule.id === other))
          reader.complain(`'overrides' names the unknown rule '${other}'`);
      }
    }
    return rules;
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
      const except = this.exceptions(reader);
      const keepLocal = this.keepLocal(reader);
      const statement = this.statement(reader, id, reader.oneOf('severity', GRADED_SEVERITIES), false);
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
      if (maxDaily === undefined && maxWeekly === undefined && !weekly) {
        reader.complain(`needs 'max_daily_mg', 'max_weekly_mg' or 'frequency: weekly'`);
      }
      const routes = reader.texts('routes');
      const species = this.species(reader);
      const statement = this.statement(reader, id, reader.oneOf('severity', GRADED_SEVERITIES), false);
      reader.refuseOthers();
      if (ingredient === undefined) return [];
      return [
        {
          ...statement,
          ingredient,
          unit,
          ...(maxDaily !== undefined && { maxDaily }),
          ...(maxWeekly !== undefined && { maxWeekly }),
          ...(weekly && { weekly }),
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
      const a = this.selector(reader, 'a', reader.raw('a'));
      const except = this.exceptions(reader);
      const statement = this.statement(reader, id, reader.oneOf('severity', GRADED_SEVERITIES), false);
      reader.refuseOthers();
      return species && isUsable(a) ? [{ ...statement, species, a, ...(except && { except }) }] : [];
    });
  }

  private statement(
    reader: EntryReader,
    id: string,
    severity: CompiledStatement['severity'],
    evidenceRequired: boolean,
  ): CompiledStatement {
    const evidence = reader.oneOf('evidence', EVIDENCE_LEVELS, evidenceRequired ? undefined : 'established');
    const statement: CompiledStatement = {
      id,
      severity,
      action: reader.oneOf('action', ACTIONS),
      ...(evidence !== 'established' && { evidence }),
      summary: this.text(reader.sentences('summary', 1)),
      mechanism: this.text(reader.sentences('mechanism', 2)),
      management: this.text(reader.sentences('management', 2)),
      sources: readSources(
        reader,
        this.registry,
        severity === 'contraindicated' || severity === 'major' ? 2 : 1,
      ),
    };
    reader.date('reviewed');
    return statement;
  }

  private text(text: string): number {
    const known = this.textPositions.get(text);
    if (known !== undefined) return known;
    this.textPositions.set(text, this.texts.length);
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

  private exceptions(reader: EntryReader): CompiledException[] | undefined {
    const value = reader.raw('except');
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      reader.complain(`'except' must be a list of pairs: [ { a: { ingredient: x }, b: { tag: y } } ]`);
      return undefined;
    }
    const exceptions = value.flatMap((item: unknown): CompiledException[] => {
      const sides = Object.keys(typeof item === 'object' && item !== null ? item : {});
      if (sides.length === 0 || sides.some((side) => side !== 'a' && side !== 'b')) {
        reader.complain(`each pair in 'except' has 'a', 'b' or both, not ${JSON.stringify(item)}`);
        return [];
      }
      const { a, b } = item as { a?: unknown; b?: unknown };
      const exception: CompiledException = {
        ...(a !== undefined && { a: this.selector(reader, 'except a', a) }),
        ...(b !== undefined && { b: this.selector(reader, 'except b', b) }),
      };
      // A side with an unknown name must not turn into "anything".
      const usable = [exception.a, exception.b].every((side) => side === undefined || isUsable(side));
      return usable ? [exception] : [];
    });
    return exceptions.length > 0 ? exceptions : undefined;
  }

  private selector(reader: EntryReader, side: string, value: unknown): CompiledSelector {
    const tags = new Set<number>();
    const ingredients = new Set<number>();
    const add = (item: unknown, nested: boolean): void => {
      const keys = Object.keys(typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {});
      const fields = item as Record<string, unknown>;
      if (keys.length === 1 && keys[0] === 'any' && !nested && Array.isArray(fields.any)) {
        for (const part of fields.any) add(part, true);
      } else if (
        keys.length === 1 &&
        (keys[0] === 'tag' || keys[0] === 'ingredient') &&
        typeof fields[keys[0]] === 'string'
      ) {
        const name = fields[keys[0]] as string;
        const position = lookUp(reader, keys[0] === 'tag' ? 'tags' : 'ingredients', name, this.registry);
        if (position !== undefined) (keys[0] === 'tag' ? tags : ingredients).add(position);
      } else {
        reader.complain(
          `'${side}' must be { tag: x }, { ingredient: x } or { any: [ … ] }, not ${JSON.stringify(item) ?? 'missing'}`,
        );
      }
    };
    add(value, false);
    return { ...(tags.size > 0 && { t: [...tags] }), ...(ingredients.size > 0 && { i: [...ingredients] }) };
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

function isUsable(selector: CompiledSelector): boolean {
  return selector.t !== undefined || selector.i !== undefined;
}
