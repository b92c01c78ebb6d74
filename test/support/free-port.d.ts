/** A port of the loopback interface on which nothing listened a moment ago. */
export function freePort(): Promise<number>;
