import type { Wait } from "../generated/answers.ts";
import { lengthOf } from "../ui/length.ts";
import { Facts } from "../ui/page.tsx";
import { State, toneOf } from "../ui/state.tsx";
import { Ago, For, presentTime, useNow } from "../ui/time.tsx";
import { isOpen, type Step, stateOf, wordsOf } from "./shape.ts";
import styles from "./step.module.css";

/** One step of a run: its state, its times, what it last heard from outside, and its failed attempts. */
export function Details({
  step,
  wait,
  usual,
  isUndone,
}: {
  step: Step;
  wait: Wait | undefined;
  usual: number | undefined;
  isUndone: boolean;
}) {
  const { name, attempts, start_time, end_time, system, message, deadline } = step;
  const { failed_attempts: failed = [] } = step;
  const state = stateOf(step);
  return (
    <section className={styles.step} aria-label={`Step: ${wordsOf(name)}`}>
      <h3>{wordsOf(name)}</h3>
      <p>
        <State state={state} tone={toneOf(state)} />
        {system !== undefined && <span className="quiet"> · {wait?.system ?? system}</span>}
      </p>
      {message !== undefined && state !== "SUCCEEDED" && (
        <p className={styles.message}>{message}</p>
      )}
      <Facts
        facts={{
          Began: start_time && <Ago time={start_time} />,
          [end_time === undefined ? "Takes" : "Took"]: start_time && (
            <>
              <For since={start_time} until={end_time} />
              {usual !== undefined && `, usually ${lengthOf(usual * 1000)}`}
            </>
          ),
          Usually: start_time === undefined && usual !== undefined && lengthOf(usual * 1000),
          Attempts: attempts > 0 && attempts,
          "Unanswered call": wait?.call && <code>{wait.call}</code>,
          "Next attempt": wait?.next_attempt_time && <Ago time={wait.next_attempt_time} />,
          "Times out": isOpen(step) && deadline && <TimesOut deadline={deadline} />,
          "If the order fails": name.startsWith("Undo ")
            ? undefined
            : isUndone
              ? "this step is undone"
              : "this step leaves nothing to undo",
        }}
      />
      {failed.length > 0 && <Failed attempts={failed} shown={message} />}
    </section>
  );
}

/** An outage extends the deadline with each failed attempt, so a deadline in the past has more time. */
function TimesOut({ deadline }: { deadline: string }) {
  useNow();
  return Date.parse(deadline) > presentTime() ? (
    <Ago time={deadline} />
  ) : (
    "later: extended by the outage"
  );
}

type FailedAttempt = NonNullable<Step["failed_attempts"]>[number];

/** The failed attempts, the newest first; a reason that repeats, or is shown above, is said once. */
function Failed({
  attempts,
  shown,
}: {
  attempts: readonly FailedAttempt[];
  shown: string | undefined;
}) {
  return (
    <table className={styles.failed}>
      <caption>{attempts.length < 5 ? "Failed attempts" : "Last five failed attempts"}</caption>
      <thead className="unseen">
        <tr>
          <th scope="col">When</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ time, message, call, status }, n) => (
          <tr key={`${time} ${message}`}>
            <td className={styles.when}>
              <Ago time={time} />
            </td>
            <td>
              {call !== undefined && (
                <code className={styles.call}>
                  {call} {status === undefined ? "→ no answer" : `→ ${status}`}
                </code>
              )}
              {message === (n === 0 ? shown : attempts[n - 1]?.message) ? (
                <span className="quiet">the same answer</span>
              ) : (
                message
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
