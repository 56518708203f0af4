import { Link } from "react-router";
import { pace, useList } from "../api/read.ts";
import type { Hub } from "../generated/answers.ts";
import { Empty } from "../ui/empty.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { Bar } from "./bar.tsx";
import { Cordon } from "./cordon.tsx";
import styles from "./hubs.module.css";
import { Orphans } from "./orphans.tsx";
import { Trend } from "./trend.tsx";

/** Hubs: their load, when they last reported and were reached, and whether they accept orders. */
export function Hubs() {
  const read = useList<Hub>("hubs", { limit: 500 }, () => pace.list);
  return (
    <Page title="Hubs">
      <Loaded read={read} waiting="Reading the hubs …">
        {({ items }) =>
          items.length === 0 ? (
            <Empty command="slipway hub register">There is no hub yet.</Empty>
          ) : (
            <div className={styles.hubs}>
              {items.map((hub) => (
                <Card key={hub.id} hub={hub} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function Card({ hub }: { hub: Hub }) {
  const { id = "", metadata, spec, status } = hub;
  const { control_planes: planes, hosts = [], orphans, conditions = [] } = status;
  return (
    <article id={id} className={`card ${styles.hub}`} aria-labelledby={`${id}-name`}>
      <header className="row">
        <h2 id={`${id}-name`}>{metadata.name || id}</h2>
        <State state={status.state} />
        {spec.cordoned && <State state="cordoned" tone="stalled" />}
        <span className={styles.actions}>
          <Cordon hub={hub} />
          <Link className="button" to={`/hubs/${id}/drain`}>
            Plan a drain
          </Link>
        </span>
      </header>
      {status.message !== undefined && <p>{status.message}</p>}
      {conditions
        .filter(({ status: each }) => each !== "CONDITION_STATUS_TRUE")
        .filter(({ message }) => message && message !== status.message)
        .map(({ type, message }) => (
          <p key={type}>{message}</p>
        ))}
      <Facts
        facts={{
          Region: spec.region,
          Site: spec.site,
          Heard: status.last_heard_time && <Ago time={status.last_heard_time} />,
          Reached: status.last_reached_time && <Ago time={status.last_reached_time} />,
          "Last error": status.last_error && (
            <>
              {status.last_error.message} <Ago time={status.last_error.time} />
            </>
          ),
          Agent: status.agent_version,
          "Control planes": planes && (
            <>
              <Bar {...planes} /> <Trend {...planes} />
            </>
          ),
        }}
      />
      <Table
        label={`Hosts of ${metadata.name || id}`}
        rows={hosts}
        idOf={({ host_type }) => host_type}
        empty="It has no hosts."
        columns={[
          { name: "Hosts", cell: ({ host_type }) => host_type },
          {
            name: "Used",
            cell: ({ total, reserved, kept, unavailable }) => (
              <Bar total={total} used={reserved} kept={kept} unavailable={unavailable} />
            ),
          },
          { name: "Free", isNumber: true, cell: ({ free }) => free },
          { name: "Trend", cell: (each) => <Trend {...each} /> },
        ]}
      />
      <Orphans of={{ kind: "hub", name: metadata.name || id }} {...{ spec, orphans }} />
    </article>
  );
}
