export interface SparklineProps {
  /** Lines of equal scale, each point with a time and a value; `null` breaks a line. */
  lines: { x: number[]; y: (number | null)[] }[];
  width?: number;
  height?: number;
  class?: string;
}

const EDGE = 3;

/** Small lines without axes. Decoration: the numbers stand beside it. */
export function Sparkline({ lines, width = 120, height = 36, class: more = '' }: SparklineProps) {
  const xs = lines.flatMap(({ x }) => x);
  const ys = lines.flatMap(({ y }) => y).filter((value) => value !== null);
  if (ys.length === 0) return null;
  const [left, right] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const [low, high] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  const at = (value: number, from: number, to: number, size: number) =>
    to === from ? size / 2 : EDGE + ((value - from) / (to - from)) * (size - 2 * EDGE);
  const place = (x: number, y: number): [x: number, y: number] => [
    Number(at(x, left, right, width).toFixed(1)),
    Number((height - at(y, low, high, height)).toFixed(1)),
  ];
  return (
    <svg
      class={`sparkline ${more}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      {lines.map(({ x, y }, line) => {
        let isBroken = true;
        const path = x.map((time, index) => {
          const value = y[index];
          if (value === null) {
            isBroken = true;
            return '';
          }
          const [px, py] = place(time, value);
          const step = `${isBroken ? 'M' : 'L'}${px} ${py}`;
          isBroken = false;
          return step;
        });
        const last = y.findLastIndex((value) => value !== null);
        const end = last < 0 ? undefined : place(x[last], y[last]!);
        return (
          <g key={line} class={`line-${line + 1}`}>
            <path
              d={path.join('')}
              fill="none"
              stroke="currentColor"
              stroke-width="2"
              stroke-linejoin="round"
            />
            {end && <circle cx={end[0]} cy={end[1]} r="2.5" fill="currentColor" />}
          </g>
        );
      })}
    </svg>
  );
}
