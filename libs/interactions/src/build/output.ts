/** Writes a line to the standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line about a fault. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
