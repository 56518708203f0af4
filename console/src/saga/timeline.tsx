import { clockTime, lengthOf } from "../ui/length.ts";
import { State } from "../ui/state.tsx";
import { presentTime, useNow } from "../ui/time.tsx";
import { isOpen, type Operation, type Step, stateOf, wordsOf } from "./shape.ts";
import { ticksIn } from "./ticks.ts";
import styles from "./timeline.module.css";

/** When each step ran, as bars over an axis of time; the table beside them has the same as text. */
export function Timeline({ operation }: { operation: Operation }) {
  useNow();
  const now = presentTime();
  const begun = operation.status.steps.filter(({ start_time }) => start_time !== undefined);
  const spans = begun.map((step) => ({ step, ...spanOf(step, now) }));
  const [from, to] = [
    Math.min(...spans.map(({ start }) => start)),
    Math.max(...spans.map(({ end }) => end)),
  ];
  const whole = Math.max(1, to - from);
  const at = (time: number) => `${((time - from) / whole) * 100}%`;
  if (spans.length === 0) return <p className="quiet">No step has begun.</p>;
  const runs = begun.some(isOpen);
  // The word "now" needs the last part of the axis.
  const ticks = ticksIn(from, runs ? to - whole / 10 : to);
  return (
    <table className={styles.timeline}>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">State</th>
          <th scope="col" className={styles.took}>
            Took
          </th>
          <th scope="col" className={styles.when}>
            <span className="unseen">When</span>
            <span className={styles.axis} aria-hidden="true">
              {ticks.map((tick) => (
                <span key={tick} style={{ insetInlineStart: at(tick) }}>
                  {clockTime(tick, now)}
                </span>
              ))}
              {runs && <span className={styles.present}>now</span>}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {spans.map(({ step, start, end }) => (
          <tr key={step.name}>
            <th scope="row">{wordsOf(step.name)}</th>
            <td>
              <State state={stateOf(step)} />
            </td>
            <td className={styles.took}>{lengthOf(end - start)}</td>
            <td className={`${styles.when} ${runs ? styles.live : ""}`}>
              <div
                className={`${styles.bar} ${styles[stateOf(step).toLowerCase()] ?? ""}`}
                style={{
                  insetInlineStart: at(start),
                  inlineSize: `max(3px, ${((end - start) / whole) * 100}%)`,
                }}
                title={`${step.start_time} to ${step.end_time ?? "now"}`}
              />
              {step.failed_attempts?.map(({ time, message }) => (
                <span
                  key={`${time} ${message}`}
                  className={styles.attempt}
                  style={{ insetInlineStart: at(Date.parse(time)) }}
                  title={`Attempt failed at ${time}: ${message}`}
                />
              ))}
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
