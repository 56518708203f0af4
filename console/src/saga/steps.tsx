import { lengthOf } from "../ui/length.ts";
import { glyphOf, toneOf } from "../ui/state.tsx";
import { For } from "../ui/time.tsx";
import { isOpen, type Part, type Shape, type Step, stateOf, wordsOf } from "./shape.ts";
import styles from "./steps.module.css";

interface Choice {
  stalled: string | undefined;
  chosen: string | undefined;
  choose(step: Step): void;
}

/** All steps of a saga in their order: ended and future ones small, the working one large. */
export function Steps({ shape: { way, back, usual }, ...choice }: Choice & { shape: Shape }) {
  const chips = (steps: readonly Step[], label?: string) => (
    <ol className={styles.lane} aria-label={label}>
      {steps.map((step) => (
        <Chip key={step.name} step={step} usual={usual[step.name]} {...choice} />
      ))}
    </ol>
  );
  return (
    <section className={styles.steps} aria-label="Steps">
      {grouped(way).map((group) =>
        "steps" in group ? (
          <div key={group.steps[0]?.name}>{chips(group.steps)}</div>
        ) : (
          <div key={group.name} className={styles.branches}>
            <p className={styles.label}>At the same time</p>
            {group.branches.map(({ name, steps }) => (
              <div key={name}>{chips(steps, name)}</div>
            ))}
          </div>
        ),
      )}
      {back.length > 0 && (
        <div className={styles.back}>
          <p className={styles.label}>Undone, the last step first</p>
          {chips(back, "Undone steps")}
        </div>
      )}
    </section>
  );
}

type Group = { steps: Step[] } | Extract<Part, { branches: unknown }>;

/** Consecutive steps share one lane. */
function grouped(way: readonly Part[]): Group[] {
  const groups: Group[] = [];
  for (const part of way) {
    const last = groups.at(-1);
    if (!("step" in part)) groups.push(part);
    else if (last && "steps" in last) last.steps.push(part.step);
    else groups.push({ steps: [part.step] });
  }
  return groups;
}

function Chip({
  step,
  usual,
  stalled,
  chosen,
  choose,
}: Choice & { step: Step; usual: number | undefined }) {
  const { name, attempts } = step;
  const state = stateOf(step);
  const tone = stalled === name ? "stalled" : toneOf(state);
  const isNow = isOpen(step);
  return (
    <li className={isNow ? styles.now : undefined}>
      <button
        type="button"
        className={`${styles.chip} ${styles[isNow ? tone : state.toLowerCase()] ?? ""}`}
        aria-pressed={chosen === name}
        aria-current={isNow ? "step" : undefined}
        onClick={() => choose(step)}
      >
        <span className={styles.name}>
          <span aria-hidden="true" className={styles[`glyph-${tone}`]}>
            {state === "PENDING" ? "" : `${glyphOf(tone, state)} `}
          </span>
          {wordsOf(name)}
        </span>
        <span className={styles.said}>
          <Said step={step} state={state} usual={usual} />
          {isNow && attempts > 1 && ` · attempt ${attempts}`}
        </span>
      </button>
    </li>
  );
}

/** The second line of a step: how it stands, and its time. */
function Said({ step, state, usual }: { step: Step; state: string; usual: number | undefined }) {
  const { start_time, end_time } = step;
  const took = <For since={start_time} until={end_time} />;
  switch (state) {
    case "PENDING":
      return usual === undefined ? "to do" : `usually ${lengthOf(usual * 1000)}`;
    case "SKIPPED":
      return "skipped";
    case "SUCCEEDED":
      return (
        <>
          <span className="unseen">done in </span>
          {took}
        </>
      );
    case "FAILED":
      return <>failed after {took}</>;
    default:
      return (
        <>
          {state === "WAITING" ? "waiting" : "working"} {took}
        </>
      );
  }
}
