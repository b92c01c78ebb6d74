import type { GradedSeverity } from '../types';
import type { EntryReader } from './entry-reader';

/** The roles of reviewers. An editor knows the sources but is not a health professional. */
export const REVIEWER_ROLES = ['editor', 'pharmacist', 'physician', 'veterinarian', 'toxicologist'] as const;

export type ReviewerRole = (typeof REVIEWER_ROLES)[number];

const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor', 'none'] as const;

/** The defaults for entries: the reviewer, and the number of months until the next review. */
export interface ReviewPolicy {
  reviewer: ReviewerRole;
  months: Record<(typeof SEVERITIES)[number], number>;
}

/** The last review of one statement. Days are written as YYYY-MM-DD. */
export interface Review {
  id: string;
  severity: GradedSeverity | 'none';
  reviewed: string;
  reviewer: ReviewerRole;
  /** The day from which the statement is stale. */
  due: string;
}

/** The longest time between two reviews of a statement, in months. */
const LONGEST_MONTHS = 36;

export const DEFAULT_POLICY: ReviewPolicy = {
  reviewer: 'editor',
  months: { contraindicated: 12, major: 12, moderate: 24, minor: 36, none: 36 },
};

/** Reads the policy from the field `review` of the manifest. */
export function readPolicy(reader: EntryReader): ReviewPolicy {
  const value = reader.raw('review');
  const { reviewer, months, ...others } = (value ?? {}) as Record<string, unknown>;
  const policy: ReviewPolicy = { ...DEFAULT_POLICY, months: { ...DEFAULT_POLICY.months } };
  if (value === undefined) reader.complain(`'review' is missing: who reviews, and after how many months`);
  else if (REVIEWER_ROLES.includes(reviewer as ReviewerRole)) policy.reviewer = reviewer as ReviewerRole;
  else reader.complain(`'review' needs a 'reviewer', one of ${REVIEWER_ROLES.join(', ')}`);
  for (const severity of SEVERITIES) {
    const count = (months as Record<string, unknown> | undefined)?.[severity];
    if (Number.isInteger(count) && (count as number) > 0 && (count as number) <= LONGEST_MONTHS)
      policy.months[severity] = count as number;
    else if (value !== undefined)
      reader.complain(`'review' needs 'months' for ${severity}, from 1 to ${LONGEST_MONTHS}`);
  }
  const [unknown] = Object.keys(others);
  if (unknown) reader.complain(`'review' has the unknown field '${unknown}'`);
  return policy;
}

/** Reads `reviewed`, `reviewer` and `review_by` of a statement. The policy gives the missing values. */
export function readReview(
  reader: EntryReader,
  id: string,
  severity: Review['severity'],
  policy: ReviewPolicy,
): Review {
  const reviewed = reader.date('reviewed');
  const reviewer = reader.oneOf('reviewer', REVIEWER_ROLES, policy.reviewer);
  const latest = addMonths(reviewed, LONGEST_MONTHS);
  const due = reader.has('review_by')
    ? reader.date('review_by')
    : addMonths(reviewed, policy.months[severity]);
  if (due <= reviewed && reviewed !== '') reader.complain(`'review_by' must be later than 'reviewed'`);
  else if (due > latest) reader.complain(`'review_by' must be within ${LONGEST_MONTHS} months of 'reviewed'`);
  return { id, severity, reviewed, reviewer, due };
}

/** The same day a number of months later; the end of the month when that day does not exist. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
