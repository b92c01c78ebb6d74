/** Lies that no client can undo, with the reason. They are not played. */
export const LIMITS: Readonly<Record<string, string>> = {
  'to a deletion: 204, and nothing is stored':
    'The answer to a deletion proves nothing. The service still has the record; the sealed head says that it was deleted, ' +
    'and each device that is shown it says `rolled_back`.',
};
