import { State } from "../ui/state.tsx";
import { lengthOf, presentTime, useNow } from "../ui/time.tsx";
import { type Operation, type Step, stateOf, wordsOf } from "./shape.ts";
import styles from "./timeline.module.css";

/** When each step ran, as bars; the table beside them has the same as text. */
export function Timeline({ operation }: { operation: Operation }) {
  useNow();
  const now = presentTime();
  const begun = operation.status.steps.filter(({ start_time }) => start_time !== undefined);
  const ends = begun.map((step) => ({ step, ...spanOf(step, now) }));
  const [from, to] = [
    Math.min(...ends.map(({ start }) => start)),
    Math.max(...ends.map(({ end }) => end)),
  ];
  const whole = Math.max(1, to - from);
  if (ends.length === 0) return <p className="quiet">No step has begun.</p>;
  return (
    <table className={styles.timeline}>
      <thead className="unseen">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">State</th>
          <th scope="col">Took</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {ends.map(({ step, start, end }) => (
          <tr key={step.name}>
            <th scope="row">{wordsOf(step.name)}</th>
            <td>
              <State state={stateOf(step)} />
            </td>
            <td className={styles.took}>{lengthOf(end - start)}</td>
            <td className={styles.when}>
              <div
                className={`${styles.bar} ${stateOf(step) === "WAITING" ? styles.waits : ""}`}
                style={{
                  marginInlineStart: `${((start - from) / whole) * 100}%`,
                  inlineSize: `max(2px, ${((end - start) / whole) * 100}%)`,
                }}
                title={`${step.start_time} to ${step.end_time ?? "now"}`}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function spanOf({ start_time = "", end_time }: Step, now: number) {
  const start = Date.parse(start_time);
  const end = end_time === undefined ? Math.max(now, start) : Date.parse(end_time);
  return { start, end };
}
