import { Bar } from "./bar.tsx";

interface NumbersProps {
  total: number;
  used: number;
  resting: number;
  orphaned: number;
  free: number;
}

/** The use of a pool's numbers; the pool's own page has a square for each. */
export function Numbers({ total, used, resting, orphaned, free }: NumbersProps) {
  // Orphaned numbers are included in the used ones.
  const parts = [
    { name: "resting", count: resting },
    { name: "orphaned", count: orphaned },
    { name: "free", count: free },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <Bar total={total} used={used} />{" "}
      <span className="quiet">
        {parts.map(({ name, count }) => `${count.toLocaleString("en")} ${name}`).join(" · ")}
      </span>
    </>
  );
}
