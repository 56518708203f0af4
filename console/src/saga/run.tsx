import { useSearchParams } from "react-router";
import { foremost } from "./foremost.ts";
import styles from "./run.module.css";
import { type Operation, type Shape, type Step, shapeOf, stepsIn } from "./shape.ts";
import { Details } from "./step.tsx";
import { Steps } from "./steps.tsx";
import { Timeline } from "./timeline.tsx";

/**
 * A run of a saga on one screen: all its steps with their times, and beside them the details of one, by default of the
 * step that works, waits or failed. The chosen step is in the page's address.
 */
export function Run({ operation }: { operation: Operation }) {
  const shape = shapeOf(operation);
  const [search, setSearch] = useSearchParams();
  const all = stepsOfShape(shape);
  const chosen = all.find(({ name }) => name === search.get("step")) ?? foremost(all);
  const choose = (step: Step) =>
    setSearch((before) => ({ ...Object.fromEntries(before), step: step.name }), { replace: true });
  return (
    <div className={styles.run}>
      <div className={styles.whole}>
        <Steps
          shape={shape}
          stalled={operation.status.stalled?.step}
          chosen={chosen?.name}
          choose={choose}
        />
        <section className={styles.timeline}>
          <h3>Timeline</h3>
          <Timeline operation={operation} />
        </section>
      </div>
      {chosen && (
        <Details
          key={chosen.name}
          step={chosen}
          wait={operation.status.waiting.find(({ step }) => step === chosen.name)}
          usual={shape.usual[chosen.name]}
          isUndone={shape.undone.includes(chosen.name)}
        />
      )}
    </div>
  );
}

const stepsOfShape = ({ way, back }: Shape): Step[] => [...way.flatMap(stepsIn), ...back];
