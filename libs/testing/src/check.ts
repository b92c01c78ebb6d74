import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Api } from './api';

/**
 * A test of one promise of the service. The name states the promise. Any test runner
 * can loop over a list of checks.
 */
export interface Check {
  name: string;
  /** Rejects with a description of the failure. */
  run: () => Promise<void>;
  /** Time-out in milliseconds, if the default of the test runner is too short. */
  timeoutMs?: number;
}

/** The service that a check calls, and its database. */
export interface CheckedService {
  api: Api;
  databaseUrl: string;
  /** The id of the space that holds the records which a token reaches. Absent where the account holds them. */
  holderOf?: (token: string) => string;
}

/**
 * Returns the service that is checked. It is a function because runners collect the
 * checks before the service starts.
 */
export type Subject = () => CheckedService;

/**
 * @throws AssertionError with the difference. Compares the values as JSON, so it ignores
 * properties that are undefined.
 */
export function expectSame(seen: unknown, right: unknown, what?: string): void {
  const [is, shouldBe] = [asJson(seen), asJson(right)];
  try {
    deepStrictEqual(is, shouldBe);
  } catch (error) {
    if (what !== undefined) (error as Error).message = `${what}: ${(error as Error).message}`;
    throw error;
  }
}

/** @throws AssertionError with the sentence if the value is false. */
export function expectTrue(isTrue: boolean, sentence: string): void {
  ok(isTrue, sentence);
}

/** Returns a copy without undefined properties. All objects of the copy belong to the current realm. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Collects the differences that a matrix of cases finds, as sentences, and counts the cases. */
export class Findings {
  cases = 0;
  readonly wrong: string[] = [];

  /** Counts a case, and records a difference if the seen value is not the expected one. */
  expect(where: string, what: string, seen: unknown, right: unknown): void {
    this.cases++;
    const [is, shouldBe] = [JSON.stringify(seen), JSON.stringify(right)];
    if (is !== shouldBe) this.wrong.push(`${where}, ${what}: ${is} instead of ${shouldBe}`);
  }

  /**
   * @throws AssertionError with every difference, or if fewer than `least` cases were tried. Too few cases
   * mean that the matrix is broken.
   */
  verdict(least: number): void {
    expectSame(this.wrong, []);
    expectTrue(this.cases >= least, `Only ${this.cases} cases were tried; at least ${least} are needed.`);
  }
}
