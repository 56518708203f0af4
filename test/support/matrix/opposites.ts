/** Answers of systems outside that say the opposite of what is so, by their shape: whatever port gives one. */

/** One call of a port. */
export interface Asked {
  /** Such as `fabric.removeAttachments`. */
  call: string;
  args: readonly unknown[];
  answer: unknown;
  /** What the same call has answered before in the same state of a saga. */
  before: unknown;
}

interface Opposite {
  /** What the system says then. */
  says: string;
  /** The answer; undefined where the true one has no opposite of this sort. */
  of(asked: Asked): unknown;
}

const untrue = "not true, on purpose";

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;

/** Of an object in this state: it is still being worked on. */
const stillPending =
  (state: string) =>
  ({ answer }: Asked): unknown =>
    fieldsOf(answer)?.state === state ? { state: "pending", message: untrue } : undefined;

/** Of a controller that tells the power: this in place of what is so. */
const otherwise =
  (change: (seen: Fields) => Fields | undefined) =>
  ({ answer }: Asked): unknown => {
    const seen = fieldsOf(answer);
    if (seen?.power === undefined) return undefined;
    const changed = change(seen);
    return changed && { ...seen, ...changed };
  };

export const opposites: readonly Opposite[] = [
  { says: "still there", of: stillPending("absent") },
  { says: "not done", of: stillPending("done") },
  {
    says: "a port not bound",
    of({ answer }) {
      if (!Array.isArray(answer) || fieldsOf(answer[0])?.state !== "bound") return undefined;
      return [{ ...fieldsOf(answer[0]), state: "pending", message: untrue }, ...answer.slice(1)];
    },
  },
  {
    says: "all that it is asked about",
    of: ({ answer, args: [asked] }) =>
      Array.isArray(answer) && answer.length === 0 && Array.isArray(asked) && asked.length > 0
        ? asked
        : undefined,
  },
  {
    says: "as many as before",
    of: ({ answer, before }) =>
      Array.isArray(answer) && Array.isArray(before) && answer.length < before.length
        ? before
        : undefined,
  },
  {
    says: "on",
    of: otherwise(({ power }) => (power === "off" ? { power: "on" } : undefined)),
  },
  {
    says: "off",
    of: otherwise(({ power }) => (power === "on" ? { power: "off" } : undefined)),
  },
  {
    says: "an image in the drive",
    of: otherwise(({ media }) =>
      media === undefined ? { media: "https://old/image" } : undefined,
    ),
  },
  {
    says: "a task not done",
    of: otherwise(({ task }) =>
      fieldsOf(task)?.state === "done"
        ? { task: { state: "pending", message: untrue } }
        : undefined,
    ),
  },
  {
    says: "a task forgotten",
    of: otherwise(({ task }) =>
      fieldsOf(task)?.state === "done" ? { task: { state: "gone", message: untrue } } : undefined,
    ),
  },
];
