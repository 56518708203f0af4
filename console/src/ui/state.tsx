import styles from "./state.module.css";

/** A state as shape, word and colour, each sufficient without the others. */

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

/** The sign of a state: a finished step is ticked. */
export const glyphOf = (tone: Tone, state: string): string =>
  state === "SUCCEEDED" ? "✓" : glyphs[tone];

/** The tones by the last word of a state. An unknown word has the tone of a running operation. */
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

/** A running operation or step is in progress and a pending one has not begun, whereas a running server is healthy. */
export function toneOf(state: string): Tone {
  const word = wordOf(state);
  const own = isOfOperation(state) ? ofOperations[word] : undefined;
  return own ?? toneOfWord[word] ?? "running";
}

export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return (
    <span className={`${styles.state} ${styles[tone]}`}>
      <span aria-hidden="true">{glyphOf(tone, state)}</span> {wordOf(state).replaceAll("_", " ")}
    </span>
  );
}

/** Whether a stuck operation waits for a person to continue it. */
export const waitsForPerson = ({ step }: { step: string }): boolean => step === "Stuck";

/** The tone of an object with an operation; what the operation waits for matters more than the object's state. */
export function toneOfWork(
  state: string,
  { waiting = [], stalled }: { waiting?: readonly { step: string }[]; stalled?: unknown },
): Tone {
  if (waiting.some(waitsForPerson)) return "stuck";
  if (stalled !== undefined) return "stalled";
  return waiting.length > 0 && toneOf(state) === "running" ? "waiting" : toneOf(state);
}
