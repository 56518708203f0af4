import styles from "./state.module.css";

/** The state of a thing as shape, word and colour: no one of them has to be seen for the others. */

export const tones = [
  "ready",
  "running",
  "waiting",
  "stalled",
  "failed",
  "stuck",
  "ended",
] as const;
export type Tone = (typeof tones)[number];

const glyphs: Record<Tone, string> = {
  ready: "●",
  running: "◐",
  waiting: "◷",
  stalled: "▲",
  failed: "✕",
  stuck: "■",
  ended: "○",
};

/** The tones of the words that states end with. A word that is not here is shown as one that is under way. */
const toneOfWord: Record<string, Tone> = {
  READY: "ready",
  RUNNING: "ready",
  ACTIVE: "ready",
  AVAILABLE: "ready",
  ALLOCATED: "ready",
  SYNCED: "ready",
  SUCCEEDED: "ready",
  RESERVED: "ready",
  OK: "ready",
  PENDING: "waiting",
  WAITING: "waiting",
  FAILED: "failed",
  DELETE_FAILED: "failed",
  UNREACHABLE: "failed",
  QUARANTINED: "failed",
  UNHEALTHY: "failed",
  STUCK: "stuck",
  CANCELLED: "ended",
  SKIPPED: "ended",
  RETIRED: "ended",
  OFF: "ended",
  STOPPED: "ended",
  MAINTENANCE: "stalled",
  INCOMPLETE: "stalled",
  ALERT: "stalled",
};

/** The word of a state on the wire: READY of CLUSTER_STATE_READY. */
const wordOf = (state: string): string => state.replace(/^.*_STATE_/, "");

const ofOperations: Record<string, Tone> = { RUNNING: "running", PENDING: "ended" };
const isOfOperation = (state: string): boolean =>
  state.startsWith("OPERATION_") || !state.includes("_STATE_");

/** An operation or a step that runs is under way, and a pending one has not begun; a server that runs is well. */
export function toneOf(state: string): Tone {
  const word = wordOf(state);
  const own = isOfOperation(state) ? ofOperations[word] : undefined;
  return own ?? toneOfWord[word] ?? "running";
}

export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return (
    <span className={`${styles.state} ${styles[tone]}`}>
      <span aria-hidden="true">{glyphs[tone]}</span> {wordOf(state).replaceAll("_", " ")}
    </span>
  );
}

/** What an operation that is stuck waits for: that somebody has it continue. */
export const waitsForPerson = ({ step }: { step: string }): boolean => step === "Stuck";

/** A thing with an operation: what that waits for says more than the state of the thing. */
export function toneOfWork(
  state: string,
  { waiting = [], stalled }: { waiting?: readonly { step: string }[]; stalled?: unknown },
): Tone {
  if (waiting.some(waitsForPerson)) return "stuck";
  if (stalled !== undefined) return "stalled";
  return waiting.length > 0 && toneOf(state) === "running" ? "waiting" : toneOf(state);
}
