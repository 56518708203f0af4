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

/** What people call a state whose word on the wire says something else. */
const calledOfOperations: Record<string, string> = {
  RUNNING: "In progress",
  PENDING: "Not started",
  SUCCEEDED: "Done",
};
const called: Record<string, string> = { PROGRESSING: "In progress" };

/** A state as people read it: `Delete failed` of CLUSTER_STATE_DELETE_FAILED, `Known unbound` of known-unbound. */
export function inWords(state: string): string {
  const word = wordOf(state);
  const own = (isOfOperation(state) ? calledOfOperations[word] : undefined) ?? called[word];
  if (own !== undefined) return own;
  const isCode = /^[A-Z_]+$|^[a-z]+(-[a-z]+)+$/.test(word);
  const words = isCode ? word.toLowerCase().replaceAll(/[_-]/g, " ") : word;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return (
    <span className={`${styles.state} ${styles[tone]}`}>
      <span aria-hidden="true">{glyphOf(tone, state)}</span> <span>{inWords(state)}</span>
    </span>
  );
}

/** Whether a stuck operation waits for a person to continue it. */
export const waitsForPerson = ({ step }: { step: string }): boolean => step === "Stuck";

/** What an object's status says of its operation. */
interface Work {
  waiting?: readonly { step: string }[];
  stalled?: unknown;
}

/** The tone of an object with an operation; what the operation waits for matters more than the object's state. */
export function toneOfWork(state: string, { waiting = [], stalled }: Work): Tone {
  if (waiting.some(waitsForPerson)) return "stuck";
  if (stalled !== undefined) return "stalled";
  return waiting.length > 0 && toneOf(state) === "running" ? "waiting" : toneOf(state);
}

/** The state of an object with an operation. One that stands still says so, instead of being in progress. */
export function WorkState({ status }: { status: { state: string } & Work }) {
  const tone = toneOfWork(status.state, status);
  const isUnderWay = ["running", "waiting"].includes(toneOf(status.state));
  const isStill = tone === "stuck" || (isUnderWay && (tone === "stalled" || tone === "waiting"));
  return <State state={isStill ? tone : status.state} tone={tone} />;
}
