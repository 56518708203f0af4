import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type { Site } from "../generated/answers.ts";
import { Empty } from "../ui/empty.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago, For } from "../ui/time.tsx";
import { Numbers } from "./numbers.tsx";
import { Orphans } from "./orphans.tsx";
import { Trend } from "./trend.tsx";
import { Whose } from "./whose.tsx";

/** Sites: their systems, their free numbers, and a search for the holder of a number. */
export function Sites() {
  const read = useList<Site>("sites", { limit: 500 });
  return (
    <Page title="Sites">
      <Whose />
      <Loaded read={read} waiting="Reading the sites …">
        {({ items }) =>
          items.length === 0 ? (
            <Empty command="slipway site create">There is no site yet.</Empty>
          ) : (
            items.map((site) => <OneSite key={site.id} site={site} />)
          )
        }
      </Loaded>
    </Page>
  );
}

const pools = ["vlans", "prefixes", "floating_ips"] as const;

function OneSite({ site: { id = "", metadata, spec, status } }: { site: Site }) {
  const known = pools.flatMap((name) => {
    const pool = status.pools?.[name];
    return pool ? [{ name, ...pool }] : [];
  });
  return (
    <Part title={metadata.name || id}>
      <div className="stack">
        <Systems {...{ id, metadata, spec, status }} />
        <Table
          label={`Numbers of ${metadata.name || id}`}
          rows={known}
          idOf={({ name }) => name}
          empty="It has no numbers for orders."
          columns={[
            {
              name: "Numbers",
              cell: ({ name }) => (
                <Link to={`/sites/${id}/${name}`}>{name.replaceAll("_", " ")}</Link>
              ),
            },
            { name: "In use", isLong: true, cell: (pool) => <Numbers {...pool} /> },
            { name: "Trend", cell: (pool) => <Trend {...pool} /> },
            {
              name: "Low",
              cell: ({ name }) =>
                status.low.includes(name) && <State state="runs out" tone="stalled" />,
            },
          ]}
        />
        <Attention {...status} />
        <Orphans
          of={{ kind: "site", name: metadata.name || id }}
          {...{ spec, orphans: status.orphans }}
        />
      </div>
    </Part>
  );
}

const systems = [
  "fabric",
  "dhcp",
  "dns",
  "storage",
  "bare_metal",
  "inventory",
  "allocator",
] as const;

type Reach = NonNullable<Site["status"]["systems"]>[number];

/** The systems of a site: when each last answered, and since when one is unreachable. */
function Systems({ id = "", metadata, spec, status }: Site) {
  const rows = systems.flatMap<{ name: string; provider: string; reach: Reach | undefined }>(
    (name) => {
      const part = Reflect.get(spec, name) as { provider?: string } | undefined;
      const reach = status.systems?.find(({ system }) => system === name);
      return part?.provider ? [{ name, provider: part.provider, reach }] : [];
    },
  );
  const machines = status.systems?.find(({ system }) => system === "machines");
  if (machines)
    rows.push({ name: "machines", provider: "DPUs that ask for their network", reach: machines });
  return (
    <Table
      label={`Systems of ${metadata.name || id}`}
      rows={rows}
      idOf={({ name }) => name}
      empty="It has no systems yet."
      columns={[
        { name: "System", cell: ({ name }) => name.replaceAll("_", " ") },
        { name: "What it is", cell: ({ provider }) => provider },
        {
          name: "State",
          isState: true,
          cell: ({ reach }) =>
            reach &&
            (reach.away_since === undefined ? (
              <State state="answers" tone="ready" />
            ) : (
              <State state="unavailable" tone="failed" />
            )),
        },
        { name: "Answered", cell: ({ reach }) => <Ago time={reach?.last_reached_time} /> },
        { name: "Unavailable for", cell: ({ reach }) => <For since={reach?.away_since} /> },
        { name: "Says", isLong: true, cell: ({ reach }) => reach?.message },
      ]}
    />
  );
}

/** Differences of the site's allocator and inventory from Slipway, which an operator must resolve. */
function Attention({ allocator, inventory }: Site["status"]) {
  const rows = [
    ...(allocator?.items ?? []).map(({ pool, number, message }) => ({
      what: `${pool.replaceAll("_", " ")} ${number}`,
      state: "otherwise at the allocator",
      message,
    })),
    ...(inventory?.items ?? []).map(({ name, outcome, message }) => ({
      what: `server ${name}`,
      state: outcome,
      message,
    })),
  ];
  if (rows.length === 0) return null;
  const all = (allocator?.drift ?? 0) + (inventory?.attention ?? 0);
  return (
    <>
      <Table
        label="Needs attention"
        rows={rows}
        idOf={({ what, state }) => `${what} ${state}`}
        empty=""
        columns={[
          { name: "Needs attention", cell: ({ what }) => what },
          {
            name: "State",
            isState: true,
            cell: ({ state }) => <State state={state} tone="stalled" />,
          },
          { name: "Says", isLong: true, cell: ({ message }) => message },
        ]}
      />
      {all > rows.length && <p className="quiet">and {all - rows.length} more</p>}
    </>
  );
}
