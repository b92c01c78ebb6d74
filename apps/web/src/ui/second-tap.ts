/** A second tap of a double tap comes this soon, in milliseconds, and this near, in CSS pixels. */
const SOON_MS = 700;
const NEAR_PX = 48;

let place = { x: 0, y: 0 };
let held: { x: number; y: number; until: number } | undefined;

document.addEventListener(
  'click',
  (event) => {
    const { clientX: x, clientY: y, detail } = event;
    // A click by a key has a detail of 0 and no place.
    const isSecond =
      held && detail > 0 && Date.now() < held.until && Math.hypot(x - held.x, y - held.y) < NEAR_PX;
    if (isSecond) {
      event.stopImmediatePropagation();
      event.preventDefault();
      return;
    }
    held = undefined;
    place = { x, y };
  },
  true,
);

/**
 * Ignores the second tap of a double tap. Call it in an act after which something else is at the place of the tap: the
 * next row moves up, and the second tap would answer that row.
 */
export function ignoreSecondTap(): void {
  held = { ...place, until: Date.now() + SOON_MS };
}
