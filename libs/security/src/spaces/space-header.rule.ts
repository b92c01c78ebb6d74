import { isUuid } from '@app/common';

/** The space that a request names, and the version that its sender knows. */
export interface NamedSpace {
  id: string;
  version: number | undefined;
}

/** @returns `undefined` for a malformed header. */
export function readSpaceHeader(header: string | string[]): NamedSpace | undefined {
  const [, id, version] = /^([^;]+)(?:;(0|[1-9]\d{0,8}))?$/.exec(String(header)) ?? [];
  if (!isUuid(id)) return undefined;
  return { id, version: version === undefined ? undefined : Number(version) };
}
