import { useEffect, useRef } from "react";
import { State, toneOf } from "../ui/state.tsx";
import { For } from "../ui/time.tsx";
import styles from "./graph.module.css";
import { type Operation, type Part, type Step, shapeOf, stateOf, wordsOf } from "./shape.ts";

/** The running saga: its steps in order, parallel branches in rows, and undone steps below. */
export function Graph({ operation }: { operation: Operation }) {
  const { way, back } = shapeOf(operation);
  const { stalled } = operation.status;
  const lanes = useRef<HTMLElement>(null);
  const open = operation.status.steps.find(isOpen)?.name;
  // Scrolls to the running step; a person's own scrolling lasts until the next step.
  useEffect(() => {
    if (open === undefined) return;
    const card = lanes.current?.querySelector('[aria-current="step"]');
    card?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [open]);
  const card = (step: Step) => (
    <Card key={step.name} step={step} isStalled={stalled?.step === step.name} />
  );
  return (
    // A saga that is wider than the screen is scrolled, by keys too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that keys scroll it
    <section ref={lanes} className={styles.lanes} aria-label="The saga" tabIndex={0}>
      <ol className={styles.lane} aria-label="Steps">
        {way.map((part) => (
          <li key={nameOf(part)} className={styles.part}>
            {"step" in part ? (
              card(part.step)
            ) : (
              <ul className={styles.branches} aria-label={`${wordsOf(part.name)}, side by side`}>
                {part.branches.map(({ name, steps }) => (
                  <li key={name}>
                    <ol className={styles.lane} aria-label={name}>
                      {steps.map((step) => (
                        <li key={step.name} className={styles.part}>
                          {card(step)}
                        </li>
                      ))}
                    </ol>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {back.length > 0 && (
        <ol className={`${styles.lane} ${styles.back}`} aria-label="What is undone">
          {back.map((step) => (
            <li key={step.name} className={styles.part}>
              {card(step)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const isOpen = ({ state }: Step): boolean => state === "RUNNING" || state === "WAITING";

const nameOf = (part: Part): string => ("step" in part ? part.step.name : part.name);

function Card({ step, isStalled }: { step: Step; isStalled: boolean }) {
  const { name, attempts, start_time, end_time, system, message } = step;
  const state = stateOf(step);
  const tone = isStalled ? "stalled" : toneOf(state);
  return (
    <article
      className={`${styles.card} ${isOpen(step) ? styles.open : ""}`}
      aria-current={isOpen(step) ? "step" : undefined}
    >
      <h3>{wordsOf(name)}</h3>
      <p className={styles.said}>
        <State state={state} tone={tone} />
        {start_time !== undefined && state !== "SKIPPED" && (
          <span className="quiet">
            {" "}
            <For since={start_time} until={end_time} />
          </span>
        )}
        {attempts > 1 && <span className="quiet"> · {attempts} tries</span>}
        {system !== undefined && <span className="quiet"> · {system}</span>}
      </p>
      {message !== undefined && message !== "" && state !== "SUCCEEDED" && (
        <p className={styles.message}>{message}</p>
      )}
    </article>
  );
}
