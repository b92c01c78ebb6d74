import { dirname, join } from 'node:path';
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import ts from 'typescript';
import { DOCUMENTS } from '../documents/schemas/kinds';
import { isDate } from '../documents/schemas/parts';
import { isOffsetTime, OFFSET_TIME } from '../inputs';
import { isJsonObject } from '../json';

export const SCHEMAS_FOLDER = join(__dirname, '../../schemas');
const KINDS_FILE = join(__dirname, '../documents/schemas/kinds.ts');
const CONFIG_FILE = join(__dirname, '../../tsconfig.json');

/** What a function of ours checks. What JSON Schema cannot say, the text of the member does. */
const CHECKED = new Map<unknown, JsonSchema>([
  [isDate, { format: 'date' }],
  [isOffsetTime, { pattern: OFFSET_TIME.source }],
]);

/** The JSON Schema of the details of each kind, by kind. The descriptions are the comments of the sources. */
export function jsonSchemas(): Map<string, JsonSchema> {
  const comments = new Comments();
  return new Map(
    Object.entries(DOCUMENTS).map(([kind, { version, schema }]) => {
      const made = toJsonSchema(schema, {
        overrideAction: ({ valibotAction: action, jsonSchema }) => {
          // Each number of JSON is finite.
          if (action.type === 'finite') return jsonSchema;
          if (action.type !== 'check') return undefined;
          return { ...jsonSchema, ...('requirement' in action && CHECKED.get(action.requirement)) };
        },
      });
      comments.describe(made, kind);
      const { $schema, ...rest } = made;
      const title = `Details: ${kind}, version ${version}`;
      return [
        kind,
        { $schema, $id: `urn:health-records:details:${kind}:${version}`, title, ...rest },
      ] as const;
    }),
  );
}

/** The comments beside the members of the schemas, as the compiler finds them. */
class Comments {
  readonly #checker: ts.TypeChecker;
  readonly #documents: ts.Type;

  constructor() {
    const read = ts.readConfigFile(CONFIG_FILE, (path) => ts.sys.readFile(path));
    const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(CONFIG_FILE));
    const program = ts.createProgram([KINDS_FILE], { ...options, types: [] });
    this.#checker = program.getTypeChecker();
    const module = this.#checker.getSymbolAtLocation(program.getSourceFile(KINDS_FILE)!)!;
    const documents = this.#checker.getExportsOfModule(module).find(({ name }) => name === 'DOCUMENTS')!;
    this.#documents = this.#checker.getTypeOfSymbol(documents);
  }

  /** Adds to a JSON Schema the comments of the schema from which it was made. */
  describe(made: JsonSchema, kind: string): void {
    this.#walk(made, this.#part(this.#part(this.#documents, kind)!, 'schema')!);
  }

  #part(type: ts.Type, name: string): ts.Type | undefined {
    const symbol = type.getProperty(name);
    return symbol && this.#checker.getTypeOfSymbol(symbol);
  }

  #walk(made: JsonSchema | boolean | undefined, schema: ts.Type): void {
    if (typeof made !== 'object') return;
    const [wrapped, entries, item, value, options] = ['wrapped', 'entries', 'item', 'value', 'options'].map(
      (name) => this.#part(schema, name),
    );
    if (wrapped) this.#walk(made, wrapped);
    if (item) this.#walk(made.items as JsonSchema, item);
    if (value) this.#walk(made.additionalProperties, value);
    if (options)
      made.anyOf?.forEach((each, at) => {
        const option = this.#part(options, String(at));
        if (option) this.#walk(each, option);
      });
    for (const member of entries?.getProperties() ?? []) {
      const property = made.properties?.[member.name] as JsonSchema;
      const description = ts.displayPartsToString(member.getDocumentationComment(this.#checker));
      if (description) property.description = description;
      this.#walk(property, this.#checker.getTypeOfSymbol(member));
    }
  }
}

/** A member of a document in a table: where it stands, what it is, and what it means. */
interface Row {
  member: string;
  what: string;
  meaning: string;
}

/** All members of a schema, each with those inside of it. */
export function rowsOf(schema: JsonSchema, path = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const at = `${path}${name}`;
    const isRequired = schema.required?.includes(name);
    const what = `${wordsOf(member)}${isRequired ? '' : ', optional'}`;
    return [{ member: at, what, meaning: member.description ?? '' }, ...insideOf(member, at)];
  });
}

function insideOf(member: JsonSchema, at: string): Row[] {
  const parts: [JsonSchema['items'], string][] = [
    [member, '.'],
    [member.items, '[].'],
    [member.additionalProperties, '.*.'],
  ];
  const own = parts.flatMap(([part, joint]) =>
    isJsonObject(part) ? rowsOf(part as JsonSchema, at + joint) : [],
  );
  const ofChoices = [member, member.items].flatMap((part) =>
    typeof part === 'object' && !Array.isArray(part) ? (part.anyOf ?? []) : [],
  );
  const joint = member.items ? '[].' : '.';
  return [...own, ...ofChoices.flatMap((each) => (typeof each === 'object' ? rowsOf(each, at + joint) : []))];
}

function wordsOf(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'json';
  const { type, enum: values, const: only, anyOf, items, format, additionalProperties } = schema;
  if (values) return values.map((each) => `\`${each as string}\``).join(' ');
  if (only !== undefined) return `\`${only as string | true}\``;
  if (anyOf) return [...new Set(anyOf.map(wordsOf))].join(' or ');
  if (type === 'array') return `list of ${wordsOf(items as JsonSchema)}`;
  if (type === 'object')
    return isJsonObject(additionalProperties) ? `${wordsOf(additionalProperties)} by name` : 'object';
  if (type === 'string') return format ?? 'text';
  return type === undefined ? 'json' : String(type);
}

/** The tables of README.md. */
export function tablesOf(schemas: ReadonlyMap<string, JsonSchema>): string {
  return [...schemas]
    .map(([, schema]) => {
      const lines = rowsOf(schema)
        .filter(({ member }) => !/^history|^questions\[/.test(member))
        .map(({ member, what, meaning }) => `| \`${member}\` | ${what} | ${meaning} |`);
      return [`**${schema.title}**`, '', '| member | what | meaning |', '| --- | --- | --- |', ...lines].join(
        '\n',
      );
    })
    .join('\n\n');
}
