import styles from "./market-drawing.module.css";

const STRIPES = 8;
const TOP = { left: 76, width: 368, y: 64 };
const EDGE = { left: 46, width: 428, y: 150 };

// An illustration of a market stall, for the demo shop.
export function MarketDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 520 440" aria-hidden="true">
      <path className={styles.ground} d="M14 414h492" />
      <path className={styles.post} d="M70 150v160M450 150v160" />
      <path className={styles.cord} d="M176 150v44M260 150v26M344 150v44" />
      <g className={styles.bulb}>
        <circle cx="176" cy="204" r="11" />
        <circle cx="260" cy="186" r="11" />
        <circle cx="344" cy="204" r="11" />
      </g>
      {Array.from({ length: STRIPES }, (_, at) => stripe(at)).map((path, at) => (
        <path key={path} className={at % 2 === 0 ? styles.green : styles.pale} d={path} />
      ))}
      <path className={styles.beam} d="M76 64h368" />
      <g>
        <path className={styles.lamp} d="M104 262c0-30 20-48 46-48s46 18 46 48z" />
        <path className={styles.stem} d="M150 262v32M130 296h40" />
        <path className={styles.clay} d="M226 254h50v34a10 10 0 0 1-10 10h-30a10 10 0 0 1-10-10z" />
        <path className={styles.handle} d="M276 264h8a9 9 0 0 1 0 22h-8" />
        <path
          className={styles.book}
          d="M312 284h92v14h-92zM322 270h84v14h-84zM316 256h72v14h-72z"
        />
        <path
          className={styles.leaf}
          d="M350 256c-2-26 8-44 26-54 4 24-4 44-26 54zM350 256c-4-20-14-32-30-38 0 20 10 34 30 38z"
        />
      </g>
      <rect className={styles.counter} x="44" y="298" width="432" height="18" rx="4" />
      <path className={styles.cloth} d="M58 316h404v96H58z" />
      <path className={styles.fold} d="M138 322v84M219 322v84M300 322v84M381 322v84" />
    </svg>
  );
}

// One stripe of the awning, with a round end.
function stripe(at: number): string {
  const top = TOP.width / STRIPES;
  const edge = EDGE.width / STRIPES;
  const [a, b] = [TOP.left + at * top, EDGE.left + at * edge];
  const radius = edge / 2;
  return `M${a} ${TOP.y}h${top}L${b + edge} ${EDGE.y}a${radius} ${radius} 0 0 1-${edge} 0z`;
}
