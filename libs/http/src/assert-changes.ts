import { validationError } from '@app/common';

/** Refuses an update without changes. */
export function assertChanges(changes: object, body: string): void {
  if (Object.values(changes).every((value) => value === undefined)) {
    throw validationError([
      { field: 'body', message: `the request must change at least one field of the ${body}` },
    ]);
  }
}
