import { Link } from "react-router";
import { pace, useStatus } from "../api/read.ts";
import type { Status } from "../generated/answers.ts";
import { Empty } from "../ui/empty.tsx";
import { Notice } from "../ui/notice.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago, For } from "../ui/time.tsx";
import { Bar } from "./bar.tsx";
import { BeyondSla, Named } from "./late.tsx";
import styles from "./now.module.css";
import { signed } from "./trend.tsx";
import { Allocations, Queues, Waits } from "./waits.tsx";

/** The status page: what needs an operator, what waits, what runs out next. */
export function Now() {
  const read = useStatus(pace.list);
  return (
    <Page title="Now">
      <Loaded read={read} waiting="Reading the state of everything …">
        {(status) => (
          <div className="stack">
            <Switches {...status} />
            <Counts {...status} />
            <Attention {...status} />
            <Stuck {...status} />
            <BeyondSla {...status} />
            <Waits {...status} />
            <Queues {...status} />
            <Allocations {...status} />
            <Hubs {...status} />
            <NextOut {...status} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Switches({ switches: { intake, removal } }: Status) {
  return (
    <>
      {intake.paused && (
        <Notice state="failed">
          Changes by tenants are refused since {intake.at}, by {intake.by}. To resume:{" "}
          <code>slipway intake resume</code>
        </Notice>
      )}
      {removal.paused && (
        <Notice state="stalled">
          Orphans are not removed since {removal.at}, by {removal.by}. To remove them again:{" "}
          <code>slipway removal resume</code>
        </Notice>
      )}
    </>
  );
}

function Counts({ operations, objects }: Status) {
  const counts = [
    ["In progress", operations.running, "running"],
    ["Waiting", operations.waiting, "waiting"],
    ["Stalled", operations.stalled, "stalled"],
    ["Stuck", operations.stuck, "stuck"],
    ["Not started", operations.pending + operations.queued, "ended"],
  ] as const;
  return (
    <>
      <dl className={styles.counts}>
        {counts.map(([name, count, tone]) => (
          <div key={name}>
            <dt>
              {count > 0 ? (
                <State state={name} tone={tone} />
              ) : (
                <span className="quiet">{name}</span>
              )}
            </dt>
            <dd className={count > 0 ? "" : "quiet"}>{count}</dd>
          </div>
        ))}
      </dl>
      {operations.unread > 0 && (
        <p className="quiet">
          At least {operations.unread} more were not read, and are not counted.
        </p>
      )}
      <Table
        label="Objects"
        rows={objects.filter(({ total }) => total > 0)}
        idOf={({ kind }) => kind}
        empty={
          <Empty command="slipway cluster create demo --template …">Nothing is ordered yet.</Empty>
        }
        columns={[
          { name: "Objects", cell: ({ kind }) => kind.replaceAll("_", " ") },
          { name: "All", isNumber: true, cell: ({ total }) => total },
          { name: "Being made", isNumber: true, cell: ({ creating }) => creating || "" },
          { name: "Being changed", isNumber: true, cell: ({ changing }) => changing || "" },
          { name: "Being deleted", isNumber: true, cell: ({ deleting }) => deleting || "" },
          { name: "Failed last", isNumber: true, cell: ({ failed }) => failed || "" },
        ]}
      />
    </>
  );
}

/** What needs an operator, the most urgent first: the same list as `slipway status`. */
function Attention({ attention, more_attention }: Status) {
  if (attention.length === 0) return null;
  return (
    <Part title="Needs attention">
      <Table
        label="What needs attention"
        rows={attention}
        idOf={({ reason, kind, id }) => `${reason} ${kind} ${id}`}
        empty=""
        columns={[
          { name: "What", cell: ({ reason }) => inWords(reason) },
          { name: "Name", cell: (row) => <Named {...row} /> },
          { name: "Why", isLong: true, cell: ({ message }) => message },
          { name: "For", cell: ({ since }) => <For since={since} /> },
          { name: "Then", cell: ({ command }) => <code>{command}</code> },
        ]}
      />
      {more_attention > 0 && <p className="quiet">and {more_attention} more</p>}
    </Part>
  );
}

/** `HostQuarantined` in words: host quarantined. */
const inWords = (reason: string): string =>
  reason.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function Stuck({ stuck, operations }: Status) {
  if (stuck.length === 0) return null;
  const more = operations.stuck - stuck.length;
  return (
    <Part title="Needs an operator">
      <Table
        label="Stuck operations"
        rows={stuck}
        idOf={({ operation }) => operation}
        empty=""
        columns={[
          { name: "Order", cell: (row) => <Named {...row} /> },
          { name: "Step", cell: ({ step }) => step },
          { name: "Why", isLong: true, cell: ({ message }) => message },
          { name: "For", cell: ({ since }) => <For since={since} /> },
        ]}
      />
      {more > 0 && (
        <p className="quiet">
          and {more} more: <code>slipway operation list --stuck</code>
        </p>
      )}
    </Part>
  );
}

function Hubs({ hubs }: Status) {
  return (
    <Part title={`Hubs: ${hubs.ready} of ${hubs.total} take orders`}>
      <Table
        label="Hubs that take no orders"
        rows={hubs.items}
        idOf={({ id }) => id}
        empty={hubs.total > 0 ? "All systems are healthy." : "None is registered yet."}
        columns={[
          { name: "Hub", cell: ({ id, name }) => <Link to={`/hubs#${id}`}>{name || id}</Link> },
          {
            name: "State",
            isState: true,
            cell: ({ state, cordoned, unobserved }) => (
              <>
                <State state={state} /> {cordoned && <State state="cordoned" tone="stalled" />}{" "}
                {unobserved && <State state="unobserved" tone="stalled" />}
              </>
            ),
          },
          { name: "Why", isLong: true, cell: ({ message }) => message },
          { name: "Heard", cell: ({ last_heard_time }) => <Ago time={last_heard_time} /> },
          { name: "Reached", cell: ({ last_reached_time }) => <Ago time={last_reached_time} /> },
        ]}
      />
    </Part>
  );
}

function NextOut({ next_out }: Status) {
  return (
    <Part title="Runs out next">
      <Table
        label="What runs out next"
        rows={next_out}
        idOf={({ resource, site, region, host_type, pool }) =>
          [resource, site, region, host_type, pool].join(" ")
        }
        empty="Orders are not possible yet: there are no hubs."
        columns={[
          {
            name: "What",
            cell: ({ resource, host_type }) =>
              [resource.replaceAll("_", " "), host_type].filter(Boolean).join(" · "),
          },
          {
            name: "Where",
            cell: ({ pool, site, region }) => [pool, site ?? region].filter(Boolean).join(" · "),
          },
          { name: "Used", cell: (item) => <Bar {...item} /> },
          { name: "Free", isNumber: true, cell: ({ free }) => free },
          { name: "A day", isNumber: true, cell: ({ per_day }) => signed(per_day) },
          {
            name: "Lasts",
            cell: ({ days_left }) => days_left !== undefined && `${days_left} days`,
          },
        ]}
      />
    </Part>
  );
}
