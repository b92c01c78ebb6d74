/** A share of a whole as a ring, with the number in words beside it. */
export function Ring({ percent, label }: { percent: number; label: string }) {
  const around = 2 * Math.PI * 15;
  return (
    <span class="ring">
      <svg viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
        <circle class="ring-whole" cx="18" cy="18" r="15" />
        <circle
          class="ring-part"
          cx="18"
          cy="18"
          r="15"
          stroke-dasharray={`${(around * percent) / 100} ${around}`}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <span class="small soft">{label}</span>
    </span>
  );
}
