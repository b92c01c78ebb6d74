import { type CheckedService, expectSame, Findings, type Subject } from '../check';
import { type Operation, readProtectedOperations } from '../document';
import type { Registry } from '../record-kind';
import { aWorld, contentsOf, type World } from '../world';

/** Two accounts, and every protected operation of the document. */
export interface Matrix extends CheckedService {
  owner: World;
  stranger: World;
  operations: Operation[];
  findings: Findings;
}

/** Runs a matrix of cases, and expects that no case changes the owner's records. */
export async function inMatrix(
  subject: Subject,
  registry: Registry,
  least: number,
  run: (matrix: Matrix) => Promise<void>,
): Promise<void> {
  const { api, databaseUrl } = subject();
  const [owner, stranger] = [await aWorld(api, registry), await aWorld(api, registry)];
  const contents = await contentsOf(api, owner, registry);
  const findings = new Findings();
  const operations = await readProtectedOperations(api);
  await run({ api, databaseUrl, owner, stranger, operations, findings });
  findings.verdict(least);
  expectSame(await contentsOf(api, owner, registry), contents, 'what the owner has');
}
