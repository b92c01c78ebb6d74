import { severityRank } from '../rules/pair-rules';
import type { Review } from './review-terms';

/** The statements that are due on or before a day: the most severe first, then the longest due. */
export function dueBy(reviews: readonly Review[], day: string): Review[] {
  return reviews
    .filter(({ due }) => due <= day)
    .sort(
      (p, q) =>
        severityRank(p.severity) - severityRank(q.severity) || compare(p.due, q.due) || compare(p.id, q.id),
    );
}

/** One line: the number of due statements, all reviews by role, and the day on which the next one is due. */
export function summarizeReviews(reviews: readonly Review[], due: readonly Review[], day: string): string {
  const byRole = new Map<string, number>();
  for (const { reviewer } of reviews) byRole.set(reviewer, (byRole.get(reviewer) ?? 0) + 1);
  const roles = [...byRole].map(([role, count]) => `${count} by the ${role}`).join(', ');
  const next = reviews
    .map((review) => review.due)
    .filter((date) => date > day)
    .sort()[0];
  return `${due.length} of ${reviews.length} statements are due on ${day} (looked at: ${roles})${next ? `; the next on ${next}` : ''}`;
}

function compare(p: string, q: string): number {
  return p < q ? -1 : p > q ? 1 : 0;
}
