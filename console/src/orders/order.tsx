import { Link, useParams } from "react-router";
import { pace, useObject } from "../api/read.ts";
import type { PrivateBaremetalInstance, PrivateCluster } from "../generated/answers.ts";
import { LiveOf } from "../live/live.tsx";
import { useSignedIn } from "../session/session.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { WorkState } from "../ui/state.tsx";
import { Ago } from "../ui/time.tsx";
import { Access } from "./access.tsx";
import { Actions } from "./actions.tsx";
import { Changes } from "./changes.tsx";
import { Consent } from "./consent.tsx";
import { History } from "./history.tsx";
import { isUnderWay, kindAt } from "./kinds.ts";
import type { Ordered, OrderedKind } from "./ordered.ts";
import { Owned } from "./owned.tsx";
import { Sentence } from "./sentence.tsx";
import { LastWork, Work } from "./work.tsx";

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
      title={object?.metadata.name || (object ? id : kind.one)}
      beside={object && <Actions kind={kind} object={object} />}
    >
      <Loaded read={read} waiting={`Reading the ${kind.one} …`}>
        {(found) => (
          <>
            <p className="row">
              <WorkState status={found.status} />
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
