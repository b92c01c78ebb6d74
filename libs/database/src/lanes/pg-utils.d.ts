/** What `pg` itself does to values before it sends them; its types leave it out. */
declare module 'pg/lib/utils' {
  export function prepareValue(value: unknown): string | Buffer | null;
}
