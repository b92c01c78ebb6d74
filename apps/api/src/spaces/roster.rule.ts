/** More would not fit into the column. */
const MAX_VERSION = 2 ** 31 - 2;
const ROSTER = /^([A-Za-z0-9+/]+={0,2})\.[A-Za-z0-9+/]+={0,2}$/;

/** The version of a roster: all that the service reads of it. @returns `undefined` for text that is none. */
export function versionOfRoster(roster: unknown): number | undefined {
  const [, json] = (typeof roster === 'string' && ROSTER.exec(roster)) || [];
  if (json === undefined) return undefined;
  try {
    const { version } = JSON.parse(Buffer.from(json, 'base64').toString()) as { version?: unknown };
    const isVersion =
      Number.isInteger(version) && (version as number) >= 1 && (version as number) <= MAX_VERSION;
    return isVersion ? (version as number) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether each version is greater than the one before it, the first one greater than `stored`. */
export function areNewer(stored: number, versions: number[]): boolean {
  return versions.every((version, index) => version > (index === 0 ? stored : versions[index - 1]));
}
