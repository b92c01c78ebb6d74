/** A bar with words, for what takes longer than half a second. @param done absent where nobody knows how much is left */
export function Progress({ label, done, total = 1 }: { label: string; done?: number; total?: number }) {
  return (
    <div class="progress" role={done === undefined ? 'status' : undefined}>
      <progress aria-label={label} {...(done !== undefined && { value: done, max: total || 1 })} />
      <span>{label}</span>
    </div>
  );
}
