import { Link, useParams } from "react-router";
import { useList, useObject } from "../api/read.ts";
import type { Host, Hub, PrivateCluster } from "../generated/answers.ts";
import { named, state, why } from "../orders/columns.tsx";
import { soon } from "../orders/kinds.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Listed } from "../ui/listed.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Cordon } from "./cordon.tsx";
import { holding } from "./holding.tsx";

/** A hub that is to be emptied: what stands there, and where there is room for it. */
export function Drain() {
  const { id = "" } = useParams();
  const read = useObject<Hub>("hubs", id);
  if (read.error && "status" in read.error && read.error.status === 404) return <NotFound />;
  const { data: hub } = read;
  return (
    <Page title={`Drain ${hub?.metadata.name || id}`} beside={hub && <Cordon hub={hub} />}>
      <Loaded read={read} waiting="Reading the hub …">
        {({ metadata, spec, status }) => (
          <>
            <p className="row">
              <State state={status.state} />
              <span>
                {spec.cordoned
                  ? "It takes no new orders, and its clusters go on."
                  : "It takes orders: cordon it, so that no more come."}{" "}
                Control planes do not move: each cluster is ordered again elsewhere, then deleted
                here.
              </span>
            </p>
            <Standing hub={id} />
            <Elsewhere hub={id} region={spec.region} />
            <p className="quiet">
              Which cluster fits where: <code>slipway hub drain {metadata.name || id} --plan</code>
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Standing({ hub }: { hub: string }) {
  const at = (path: string) => ({ filter: `${path} == ${JSON.stringify(hub)}`, limit: 500 });
  const clusters = useList<PrivateCluster>("clusters", at("this.status.hub"), soon);
  const hosts = useList<Host>("hosts", at("this.spec.hub"), soon);
  const used = hosts.data && {
    ...hosts.data,
    items: hosts.data.items.filter(({ status }) => status.owner),
  };
  return (
    <>
      <Part title="Clusters on it">
        <Listed
          label="Clusters on it"
          read={clusters}
          empty="None: once its hosts are free too, it can be taken away."
          columns={[
            named("Cluster", "clusters"),
            { name: "Tenant", cell: ({ metadata }) => metadata.tenant },
            state,
            { name: "Nodes", cell: ({ spec }) => nodesOf(spec) },
            why,
          ]}
        />
      </Part>
      <Part title="Its hosts in use">
        <Loaded read={{ data: used, error: hosts.error }} waiting="Reading its hosts …">
          {({ items }) => (
            <Table
              label="Hosts in use"
              rows={items}
              idOf={({ id = "" }) => id}
              empty="None of its hosts is in use."
              columns={holding}
            />
          )}
        </Loaded>
      </Part>
    </>
  );
}

const nodesOf = ({ node_sets }: PrivateCluster["spec"]): string =>
  Object.values(node_sets)
    .map(({ size, host_type }) => `${size} × ${host_type.name}`)
    .join(", ");

/** The hubs of the region that take orders, and what each has left. */
function Elsewhere({ hub, region }: { hub: string; region: string | undefined }) {
  const read = useList<Hub>("hubs", { limit: 500 });
  return (
    <Part title={`Room elsewhere${region ? ` in ${region}` : ""}`}>
      <Loaded read={read} waiting="Reading the other hubs …">
        {({ items }) => (
          <Table
            label="Room elsewhere"
            rows={items.filter(({ id, spec }) => id !== hub && spec.region === region)}
            idOf={({ id = "" }) => id}
            empty="No other hub is in the region: what stands here has nowhere to go."
            columns={[
              {
                name: "Hub",
                cell: ({ id, metadata }) => <Link to={`/hubs#${id}`}>{metadata.name || id}</Link>,
              },
              {
                name: "State",
                cell: ({ spec, status }) =>
                  spec.cordoned ? (
                    <State state="cordoned" tone="stalled" />
                  ) : (
                    <State state={status.state} />
                  ),
              },
              {
                name: "Control planes free",
                isNumber: true,
                cell: ({ status }) => status.control_planes?.free,
              },
              {
                name: "Hosts free",
                cell: ({ status }) =>
                  (status.hosts ?? [])
                    .map(({ host_type, free }) => `${free} × ${host_type}`)
                    .join(", "),
              },
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}
