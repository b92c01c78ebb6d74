import { randomBytes } from 'node:crypto';
import { Yaml } from 'cdk8s';
import type { ISecret } from 'kubernetes-models/v1';
import { LABELS } from './names.js';

/**
 * A secret with new random values, as YAML. Make it once: the service does not start with other values on the same
 * database. It is immutable, so a second one over the first is refused.
 *
 * @param databaseUrls `database-url`, and `database-replica-url` if there is a replica.
 */
export function newSecret(name: string, databaseUrls: Record<string, string>): string {
  const secret: ISecret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: LABELS },
    type: 'Opaque',
    immutable: true,
    stringData: {
      ...databaseUrls,
      'jwt-secret': randomBytes(32).toString('hex'),
      'decoy-secret': randomBytes(32).toString('hex'),
    },
  };
  return Yaml.stringify(secret);
}
