/** See covered.js. */
export interface CoveredTest {
  why: string;
  specs: string[];
  suites?: string[];
  files: string[];
}
export const ALL: string[];
export const TESTS: Record<string, CoveredTest>;
export function filesOf(globs: string[]): string[];
export function coveredBy(name: string): string[];
export function digestOf(name: string): string;
export function changedTests(): string[];
export function leftOut(choice: string | undefined): string[];
