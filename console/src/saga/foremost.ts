import { isOpen, type Step } from "./shape.ts";

/** The step that people look for first: an open one, else the failed one, else the last that ended. */
export function foremost(steps: readonly Step[]): Step | undefined {
  const ended = steps.filter(({ end_time }) => end_time !== undefined);
  return (
    steps.find(isOpen) ??
    steps.find(({ state }) => state === "FAILED") ??
    ended.toSorted((a, b) => (a.end_time ?? "").localeCompare(b.end_time ?? "")).at(-1) ??
    steps[0]
  );
}
