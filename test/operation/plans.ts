/** A node of a plan, as `EXPLAIN (FORMAT JSON)` shows it. */
export interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** A row for each migration, restore, secret or invitation that is not used yet: few, whatever the service does. */
const SMALL = /^(migrations|epochs|secret_fingerprints|invites|done_work)$/;
/**
 * An account has five sessions, twenty device tokens, 500 reminders and 50 spaces at most, a space 16 members, and a request
 * names a few counters by their keys: these may be read and sorted.
 */
const FEW =
  /^((rate_limits|sessions|device_tokens|passkeys|push_subscriptions|reminders|memberships|spaces|space_members|space_invitations)(_\d+)?|epochs)$/;
/** Columns by which a client chooses records. What else is in a filter decides about a row that is found already. */
const CHOOSES = /\b(id|profile_id|medication_id|status|recorded_at|logged_at|idempotency_key|address)\b/;

/**
 * What becomes slow in a plan as its tables grow; empty where nothing does.
 *
 * @param firstColumns the first column of each index.
 */
export function faultsOfPlan(plan: PlanNode, firstColumns: Map<string, string>): string[] {
  return [...nodesOf(plan)].flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Filter: filter = '' } = node;
    if (table && SMALL.test(table)) return [];
    if (type === 'Seq Scan') return [`reads all of ${table}`];
    if (type.includes('Sort')) {
      const sorted = [...nodesOf(node, 'InitPlan')].flatMap((below) => below['Relation Name'] ?? []);
      return sorted.every((name) => FEW.test(name)) ? [] : [`sorts ${sorted.join()}`];
    }
    if (type === 'Nested Loop' && isListWithAccounts(node.Plans!))
      return ['asks for the account for each row'];
    // A bitmap's heap has the filter, the index below it the condition.
    const conditions = [...nodesOf(node)].flatMap((below) => below['Index Cond'] ?? []);
    if (table && !FEW.test(table) && CHOOSES.test(filter) && conditions.includes('(account_id = $1)'))
      return [`reads all of an account's ${table}`];
    if (index === undefined) return [];
    const [condition = ''] = conditions;
    if (!new RegExp(`\\b${firstColumns.get(index)}\\b`).test(condition)) return [`reads all of ${index}`];
    if (/\bid = /.test(condition) && !index.endsWith('_pkey')) return [`looks for an id in ${index}`];
    return [];
  });
}

/** Perhaps many rows outside, the account inside, and nothing between that would remember it. */
function isListWithAccounts([outer, inner]: PlanNode[]): boolean {
  return (
    !/\b(id|idempotency_key) = /.test(outer['Index Cond'] ?? '') &&
    /^accounts(_\d+)?$/.test(inner['Relation Name'] ?? '')
  );
}

/** A node and all below it, but for what is below it as `without`: an `InitPlan` is worked out once, before. */
function* nodesOf(plan: PlanNode, without?: string): Generator<PlanNode> {
  yield plan;
  for (const node of plan.Plans ?? [])
    if (node['Parent Relationship'] !== without) yield* nodesOf(node, without);
}
