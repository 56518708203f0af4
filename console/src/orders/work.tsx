import type { ReactNode } from "react";
import { pace, useList, useObject } from "../api/read.ts";
import { Run } from "../saga/run.tsx";
import type { Operation } from "../saga/shape.ts";
import { CommandLine } from "../ui/copy.tsx";
import { lengthOf } from "../ui/length.ts";
import { Fault } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Ago, For, presentTime, useNow } from "../ui/time.tsx";
import styles from "./work.module.css";

/** The operation on an order: its progress, its run and its timeline. */

const isOpen = ({ status }: Operation): boolean => /_(PENDING|RUNNING)$/.test(status.state);

/** The operation that runs now. */
export function Work({ id }: { id: string }) {
  const read = useObject<Operation>("operations", id, (operation) =>
    operation && !isOpen(operation) ? pace.rest : pace.busy,
  );
  const { data: operation } = read;
  if (read.error) return <Fault error={read.error} />;
  if (!operation) return null;
  const { spec, status } = operation;
  const isStuck = status.state.endsWith("_STUCK");
  return (
    <section className={styles.work} aria-label="Progress">
      <div className={styles.progress}>
        <h2>
          {titles[spec.change]}: {status.percent} %
        </h2>
        <progress value={status.percent} max={100} aria-label={titles[spec.change]} />
        <Expected status={status} />
      </div>
      <Run operation={operation} />
      <p className="quiet">
        {isStuck ? "Once the cause is gone: " : "Follow it in a terminal: "}
        <CommandLine line={`slipway operation ${isStuck ? "resume" : "watch"} ${id}`} />
      </p>
    </section>
  );
}

/** When the operation ends, by what is usual; its queue position, or its delay. */
function Expected({ status }: Pick<Operation, "status">): ReactNode {
  useNow();
  const { queue_position: position, estimate, start_time, usual_seconds } = status;
  if (position !== undefined)
    return <span className="quiet">position {position} in the queue</span>;
  if (estimate === undefined) return null;
  const usually = usual_seconds ? lengthOf(usual_seconds * 1000) : undefined;
  if (Date.parse(estimate) > presentTime())
    return (
      <span className="quiet">
        done <Ago time={estimate} />
        {usually !== undefined && ` · usually ${usually}`}
      </span>
    );
  return usually === undefined ? (
    <span className={styles.late}>
      Late by <For since={estimate} />
    </span>
  ) : (
    <span className={styles.late}>
      Late: usually {usually}, now <For since={start_time} />
    </span>
  );
}

/** The last operation when none runs; folded unless it failed. */
export function LastWork({ id }: { id: string }) {
  const { data } = useList<Operation>("operations", {
    ...{ filter: `this.spec.target.id == ${JSON.stringify(id)}`, limit: 1 },
    order: "metadata.creation_timestamp desc",
  });
  const [last] = data?.items ?? [];
  if (!last) return null;
  const { spec, status } = last;
  const { failure } = status;
  return (
    <details open={failure !== undefined} className={styles.last}>
      <summary>
        <h2>
          Last operation: {changes[spec.change]} <State state={status.state} />{" "}
          {status.end_time !== undefined && <Ago time={status.end_time} />}
        </h2>
      </summary>
      <div className="stack">
        {failure?.given_back !== undefined && (
          <p>
            {failure.given_back
              ? "Everything that it had made was released."
              : "It keeps what it had made, until it is changed, retried or deleted."}
          </p>
        )}
        <Run operation={last} />
      </div>
    </details>
  );
}

const changes: Record<Operation["spec"]["change"], string> = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
};

const titles: Record<Operation["spec"]["change"], string> = {
  CREATE: "Creating",
  UPDATE: "Updating",
  DELETE: "Deleting",
};
