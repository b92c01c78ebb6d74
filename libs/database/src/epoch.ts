import type { Executor } from './statement';
import type { Statement } from './statement';

const FIND_EPOCH: Statement = {
  name: 'epochs find',
  text: 'SELECT id FROM epochs ORDER BY started_at DESC, id LIMIT 1',
};

/** The id of the current epoch of the database; see `EpochEntity`. */
export async function findEpoch(executor: Executor): Promise<string> {
  const [epoch] = await executor.query<{ id: string }>(FIND_EPOCH, []);
  return epoch.id;
}
