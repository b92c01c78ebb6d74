/**
 * A schema of any library that follows Standard Schema (https://standardschema.dev): valibot, Zod, ArkType. It must answer
 * at once.
 */
export interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** For the compiler. */
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
  };
}

/** What a schema answers. */
export interface StandardResult {
  /** Absent where the value fits. */
  readonly issues?:
    | readonly {
        readonly message: string;
        /** The members that lead to what does not fit. */
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
        /** Of valibot: what the schema asks for, without the value. */
        readonly expected?: string | null;
      }[]
    | undefined;
}

/** Whether a value is such a schema. */
export function isStandardSchema(value: object): value is StandardSchema {
  return '~standard' in value;
}
