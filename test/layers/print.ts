import { arrowsIn, knotsIn } from "./folders.ts";

/** `npm run layers` ends with this: every folder with those that it imports, then the knots. */
const arrows = arrowsIn(".");
const sorted = [...arrows].sort(([a], [b]) => (a < b ? -1 : 1));
const lines = sorted.map(([folder, to]) => {
  const others = [...to].sort(([, a], [, b]) => b - a).map(([other, n]) => `${other} ${n}`);
  return `${folder} → ${others.join(", ") || "nothing"}`;
});
const knots = knotsIn(arrows);
const count = sorted.reduce((sum, [, to]) => sum + to.size, 0);
const summary = `${sorted.length} folders, ${count} arrows, ${knots.length} knots`;
process.stdout.write(
  `${[...lines, ...knots.map((tied) => `KNOT ${tied.join(" ")}`), summary].join("\n")}\n`,
);
if (knots.length > 0) process.exitCode = 1;
