import { Link, useParams } from "react-router";
import { pace, useList, useObject } from "../api/read.ts";
import type { DrainPlan, Host, Hub } from "../generated/answers.ts";
import { soon } from "../orders/kinds.ts";
import { NotFound } from "../shell/not-found.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Cordon } from "./cordon.tsx";
import { holding } from "./holding.tsx";

/** The plan to drain a hub: what runs on it, and which hubs have room for it. */
export function Drain() {
  const { id = "" } = useParams();
  const read = useObject<Hub>("hubs", id);
  if (read.error && "status" in read.error && read.error.status === 404) return <NotFound />;
  const { data: hub } = read;
  return (
    <Page title={`Drain ${hub?.metadata.name || id}`} beside={hub && <Cordon hub={hub} />}>
      <Loaded read={read} waiting="Reading the hub …">
        {({ spec, status }) => (
          <>
            <p className="row">
              <State state={status.state} />
              <span>
                {spec.cordoned
                  ? "Cordoned: no new orders; running clusters are not affected."
                  : "It takes orders. Cordon it to stop that."}{" "}
                Nothing is moved automatically: order each cluster and server elsewhere, then delete
                it here.
              </span>
            </p>
            {status.message !== undefined && <p>{status.message}</p>}
            <OnHub hub={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function OnHub({ hub }: { hub: string }) {
  const plan = useObject<DrainPlan>(`hubs/${hub}`, "drain_plan", () => pace.list);
  const hosts = useList<Host>(
    "hosts",
    { filter: `this.spec.hub == ${JSON.stringify(hub)} && has(this.status.owner)`, limit: 500 },
    soon,
  );
  return (
    <>
      <Part title="What runs on it">
        <Loaded read={plan} waiting="Checking where there is room …">
          {({ clusters, servers, queues, without_room }) => (
            <>
              {queues.map(({ waits_for, host_type, orders }) => (
                <p key={`${waits_for} ${host_type}`}>
                  {orders > 100 ? "More than 100" : orders} wait for {host_type}{" "}
                  {waits_for.replace("_", " ")} that it has.
                </p>
              ))}
              <Table
                label="Clusters on it"
                rows={clusters}
                idOf={({ id }) => id}
                empty={
                  servers.length === 0
                    ? "Nothing. Once its hosts are free too, the hub can be deleted."
                    : "No clusters."
                }
                columns={[
                  {
                    name: "Cluster",
                    cell: ({ id, name }) => <Link to={`/orders/clusters/${id}`}>{name || id}</Link>,
                  },
                  ...whose,
                  { name: "Nodes", cell: nodesOf },
                  ...room,
                ]}
              />
              {servers.length > 0 && (
                <Table
                  label="Servers on it"
                  rows={servers}
                  idOf={({ id }) => id}
                  empty=""
                  columns={[
                    {
                      name: "Server",
                      cell: ({ id, name }) => (
                        <Link to={`/orders/baremetal_instances/${id}`}>{name || id}</Link>
                      ),
                    },
                    ...whose,
                    { name: "Host", cell: ({ host, host_type }) => `${host}, ${host_type}` },
                    ...room,
                  ]}
                />
              )}
              {without_room > 0 && (
                <p>There is no room elsewhere in the region for {without_room} of them.</p>
              )}
            </>
          )}
        </Loaded>
      </Part>
      <Part title="Its hosts in use">
        <Loaded read={hosts} waiting="Reading its hosts …">
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

type Standing = DrainPlan["clusters"][number] | DrainPlan["servers"][number];

const whose: Column<Standing>[] = [
  { name: "Tenant", cell: ({ tenant }) => tenant },
  { name: "State", isState: true, cell: ({ state }) => <State state={state} /> },
];

const room: Column<Standing>[] = [
  {
    name: "Room at",
    cell: ({ room_at }) =>
      room_at ? (
        <Link to={`/hubs#${room_at.id}`}>{room_at.name}</Link>
      ) : (
        <State state="none" tone="failed" />
      ),
  },
  { name: "Why", isLong: true, cell: ({ why }) => why },
];

const nodesOf = ({ node_sets }: DrainPlan["clusters"][number]): string =>
  node_sets.map(({ size, host_type }) => `${size} × ${host_type}`).join(", ");
