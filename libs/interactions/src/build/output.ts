/** Writes a line of the result of a command. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line about something wrong. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
