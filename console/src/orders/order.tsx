import { Link, useParams } from "react-router";
import { pace, useList, useObject } from "../api/read.ts";
import type { PrivateBaremetalInstance, PrivateCluster } from "../generated/answers.ts";
import { LiveOf } from "../live/live.tsx";
import { Graph } from "../saga/graph.tsx";
import type { Operation } from "../saga/shape.ts";
import { Timeline } from "../saga/timeline.tsx";
import { useSignedIn } from "../session/session.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Fault, Loaded, Page, Part } from "../ui/page.tsx";
import { State, toneOfWork } from "../ui/state.tsx";
import { Ago, For, lengthOf, presentTime, useNow } from "../ui/time.tsx";
import { Access } from "./access.tsx";
import { Actions } from "./actions.tsx";
import { Changes } from "./changes.tsx";
import { Consent } from "./consent.tsx";
import { History } from "./history.tsx";
import { isUnderWay, kindAt } from "./kinds.ts";
import type { Ordered, OrderedKind } from "./ordered.ts";
import { Owned } from "./owned.tsx";
import { Sentence } from "./sentence.tsx";

/** One order: its main message, its saga, what it owns, and its history. */
export function Order() {
  const { plural = "", id = "" } = useParams();
  const kind = kindAt(plural);
  return kind ? <OrderOf key={id} kind={kind} id={id} /> : <NotFound />;
}

function OrderOf({ kind, id }: { kind: OrderedKind; id: string }) {
  const { isStaff } = useSignedIn();
  const read = useObject<Ordered>(kind.plural, id, (object) =>
    object && isUnderWay(object) ? pace.busy : pace.rest,
  );
  if (read.error && "status" in read.error && read.error.status === 404) return <NotFound />;
  const { data: object } = read;
  return (
    <Page
      title={object?.metadata.name || id}
      beside={object && <Actions kind={kind} object={object} />}
    >
      <Loaded read={read} waiting={`Reading the ${kind.one} …`}>
        {(found) => (
          <>
            <p className="row">
              <State
                state={found.status.state}
                tone={toneOfWork(found.status.state, found.status)}
              />
              <span className="quiet">
                {kind.one}
                {!kind.isOfStaff && ` of ${placeOf(found)}`}, {kind.isOfStaff ? "known" : "ordered"}{" "}
                <Ago time={found.metadata.creation_timestamp} />
                {found.metadata.creator ? ` by ${found.metadata.creator}` : ""}
              </span>
              {isStaff && <Link to={`/audit?object=${id}`}>Who did what with it</Link>}
            </p>
            <LiveOf tenant={found.metadata.tenant} />
            <Sentence object={found} />
            {kind.kind === "baremetal_instance" && (
              <Consent server={found as PrivateBaremetalInstance} />
            )}
            {found.status.operation === undefined ? (
              <LastWork id={id} />
            ) : (
              <Work key={found.status.operation} id={found.status.operation} />
            )}
            <Owned kind={kind} object={found} />
            {kind.kind === "cluster" && <OfCluster cluster={found as PrivateCluster} />}
            <History plural={kind.plural} id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The parts of the page that only clusters have. */
function OfCluster({ cluster }: { cluster: PrivateCluster }) {
  const { isStaff, mayChange } = useSignedIn();
  const { id = "", metadata, status } = cluster;
  const isReady = status.state === "CLUSTER_STATE_READY";
  return (
    <>
      {isReady && <Changes cluster={cluster} />}
      {isReady && mayChange && !isStaff && <Access id={id} name={metadata.name} />}
    </>
  );
}

const placeOf = ({ metadata: { tenant, project } }: Ordered): string =>
  project ? `${tenant} / ${project}` : tenant;

const isOpen = ({ status }: Operation): boolean => /_(PENDING|RUNNING)$/.test(status.state);

/** The running operation, step by step. */
function Work({ id }: { id: string }) {
  const read = useObject<Operation>("operations", id, (operation) =>
    operation && !isOpen(operation) ? pace.rest : pace.busy,
  );
  const { data: operation } = read;
  if (read.error) return <Fault error={read.error} />;
  if (!operation) return null;
  const { spec, status } = operation;
  return (
    <>
      <Part title={`${titles[spec.change]}: ${status.percent} %`}>
        <div className="stack">
          <p className="row" aria-live="polite">
            <State state={status.state} />
            {status.queue_position !== undefined && (
              <span className="quiet">place {status.queue_position} in the queue</span>
            )}
            {status.estimate !== undefined && <Expected status={status} />}
            {status.deadline !== undefined && (
              <span className="quiet">
                its step times out <Ago time={status.deadline} />
              </span>
            )}
          </p>
          <Graph operation={operation} />
          <p className="quiet">
            From a terminal: <code>slipway operation watch {id}</code>
          </p>
        </div>
      </Part>
      <Part title="When">
        <Timeline operation={operation} />
      </Part>
    </>
  );
}

/** The expected end; when it has passed, the delay. */
function Expected({
  status: { estimate = "", start_time, usual_seconds },
}: Pick<Operation, "status">) {
  useNow();
  if (Date.parse(estimate) > presentTime())
    return (
      <span className="quiet">
        done <Ago time={estimate} /> if nothing has to be waited for
      </span>
    );
  if (usual_seconds === undefined || usual_seconds === 0)
    return (
      <span>
        late by <For since={estimate} />
      </span>
    );
  return (
    <span>
      late: usually {lengthOf(usual_seconds * 1000)}, now <For since={start_time} />
    </span>
  );
}

/** The last operation when none runs, collapsed at first. */
function LastWork({ id }: { id: string }) {
  const { data } = useList<Operation>("operations", {
    ...{ filter: `this.spec.target.id == ${JSON.stringify(id)}`, limit: 1 },
    order: "metadata.creation_timestamp desc",
  });
  const [last] = data?.items ?? [];
  if (!last) return null;
  const { spec, status } = last;
  return (
    <details>
      <summary>
        {ended[spec.change]} last: <State state={status.state} />{" "}
        {status.end_time !== undefined && <Ago time={status.end_time} />}
      </summary>
      <div className="stack">
        <Graph operation={last} />
        <Timeline operation={last} />
      </div>
    </details>
  );
}

const ended: Record<Operation["spec"]["change"], string> = {
  CREATE: "Made",
  UPDATE: "Changed",
  DELETE: "Deleted",
};

const titles: Record<Operation["spec"]["change"], string> = {
  CREATE: "Being made",
  UPDATE: "Being changed",
  DELETE: "Being deleted",
};
