import type { RowStore } from './row-store';

/** The rows of this device, whose failures are errors of the library. @param failed told of each failure */
export function guardedRows(rows: RowStore, failed: (cause: unknown) => Error): RowStore {
  const guard = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (cause) {
      throw failed(cause);
    }
  };
  return {
    read: (after) => guard(() => rows.read(after)),
    ...(rows.isNewest && { isNewest: (version: number) => rows.isNewest!(version) }),
    write: (changed, expected) => guard(() => rows.write(changed, expected)),
    readPart: (name) => guard(() => rows.readPart(name)),
    writePart: (name, text) => guard(() => rows.writePart(name, text)),
    clear: (prefix) => guard(() => rows.clear(prefix)),
  };
}
