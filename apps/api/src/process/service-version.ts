import { createRequire } from 'node:module';

/** The version in `package.json`, found by the package's own name: the built files lie deeper than the sources. */
export function versionOfService(): string {
  const { version } = createRequire(__filename)('health-records-service/package.json') as { version: string };
  return version;
}
