/** An answer that names the member of a space who wrote the record. Outside of spaces it is the answer as it is. */
export function withAuthor<Response extends object>(
  response: Response,
  { author_id }: { author_id?: string | null },
): Response {
  return author_id ? Object.assign(response, { author_id }) : response;
}
