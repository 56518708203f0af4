import { useDeferredValue, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { pace, useList } from "../api/read.ts";
import type { Host, PrivateCluster } from "../generated/answers.ts";
import { why } from "../orders/columns.tsx";
import { Health } from "../orders/health.tsx";
import { Empty } from "../ui/empty.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { inWords, State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { holding } from "./holding.tsx";
import styles from "./hosts.module.css";
import { Racks, Summary } from "./racks.tsx";

/** The number of hosts rendered at first, since a page of thousands takes seconds. */
const atOnce = 100;

/** Hosts by rack or switch, as elevations or as tables. */
export function Hosts() {
  const [search, setSearch] = useSearchParams();
  // The field has its own state, so that a late change of the address cannot revert fast typing.
  const [text, setText] = useState(search.get("find") ?? "");
  const isTable = search.get("view") === "table";
  const view: Record<string, string> = isTable ? { view: "table" } : {};
  const find = (wanted: string) => {
    setText(wanted);
    setSearch(wanted ? { ...view, find: wanted } : view, { replace: true });
  };
  // The table renders later than the field, since it takes longer.
  const sought = useDeferredValue(text).toLowerCase();
  const read = useList<Host>("hosts", { limit: 1000 }, () => pace.list);
  const vlans = useVlans();
  return (
    <Page
      title="Hosts"
      beside={
        <>
          <Views isTable={isTable} />
          <label>
            Find{" "}
            <input
              type="search"
              value={text}
              placeholder="name, MAC, rack, tenant"
              onChange={({ target }) => find(target.value)}
            />
          </label>
        </>
      }
    >
      <Loaded read={read} waiting="Reading the hosts …">
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty command="slipway host import">There is no host yet.</Empty>
          ) : (
            <>
              {total > items.length && (
                <p className="quiet">
                  The first {items.length} of {total}.
                </p>
              )}
              <Found hosts={items} sought={sought} vlans={vlans} isTable={isTable} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The two views of the same hosts. */
function Views({ isTable }: { isTable: boolean }) {
  const [search] = useSearchParams();
  const find = search.get("find");
  const to = (view: object) => `?${new URLSearchParams({ ...(find && { find }), ...view })}`;
  return (
    <nav className={styles.views} aria-label="View">
      <Link className="button" to={to({})} aria-current={isTable ? undefined : "page"}>
        Racks
      </Link>
      <Link
        className="button"
        to={to({ view: "table" })}
        aria-current={isTable ? "page" : undefined}
      >
        Table
      </Link>
    </nav>
  );
}

interface FoundProps {
  hosts: readonly Host[];
  sought: string;
  vlans: Vlans;
  isTable: boolean;
}

/** The hosts that match the search, by rack. */
function Found({ hosts, sought, vlans, isTable }: FoundProps) {
  const [most, setMost] = useState(atOnce);
  const known = useMemo(
    () =>
      hosts
        .map((host) => ({ host, words: wordsIn(host), place: placeOf(host) }))
        .sort((a, b) => byName(a.place, b.place)),
    [hosts],
  );
  const found = known.flatMap(({ host, words }) => (words.includes(sought) ? [host] : []));
  if (found.length === 0) return <p>No host is like “{sought}”.</p>;
  const racks = Map.groupBy(found.slice(0, most), rackOf);
  return (
    <div className="stack">
      <Summary hosts={found} />
      {isTable ? (
        [...racks].map(([rack, inRack]) => (
          <Part key={rack} title={rack}>
            <Racked rack={rack} hosts={inRack} vlans={vlans} />
          </Part>
        ))
      ) : (
        <Racks racks={racks} />
      )}
      {found.length > most && (
        <p className="row">
          <button type="button" onClick={() => setMost(most + atOnce)}>
            More hosts
          </button>
          <span className="quiet">
            {most} of {found.length} are shown
          </span>
        </p>
      )}
    </div>
  );
}

const rackOf = ({ spec, status }: Host): string =>
  status.inventory?.rack
    ? `Rack ${status.inventory.rack}`
    : `Switch ${spec.nics[0]?.switch ?? "unknown"}`;

const placeOf = (host: Host): string => `${rackOf(host)} ${host.metadata.name}`;
/** Sorts `rack-2` before `rack-10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

const wordsIn = ({ id, metadata, spec, status }: Host): string =>
  [
    ...[id, metadata.name, spec.host_type, spec.hub, spec.bmc.address],
    ...[rackOf({ metadata, spec, status }), status.owner?.tenant, status.owner?.name],
    ...spec.nics.flatMap(({ mac, switch: name, port }) => [mac, name, port]),
  ]
    .join(" ")
    .toLowerCase();

/** The VLAN ids of clusters. */
type Vlans = ReadonlyMap<string, number>;

function useVlans(): Vlans {
  const { data } = useList<PrivateCluster>("clusters", { limit: 1000 });
  return useMemo(
    () =>
      new Map(
        data?.items.flatMap(({ id = "", status: { network } }) =>
          network?.vlan === undefined ? [] : [[id, network.vlan] as const],
        ),
      ),
    [data],
  );
}

function Racked({ rack, hosts, vlans }: { rack: string; hosts: Host[]; vlans: Vlans }) {
  return (
    <Table
      label={`Hosts, ${rack}`}
      rows={hosts}
      idOf={({ id = "" }) => id}
      empty=""
      columns={[
        ...holding,
        {
          name: "Cabled",
          cell: ({ spec }) => (
            <span className={styles.cables}>
              {spec.nics.map(({ name, switch: to, port }) => (
                <span key={name}>
                  {name} to {to} {port}
                </span>
              ))}
            </span>
          ),
        },
        {
          name: "VLAN",
          isNumber: true,
          cell: ({ status: { owner } }) => owner && vlans.get(owner.id),
        },
        { name: "Agent", cell: ({ status }) => status.agent && <OfAgent {...status.agent} /> },
        { name: "Health", cell: ({ status }) => <Health health={status.health} /> },
        why,
      ]}
    />
  );
}

/** The state of the host's Agent on its hub, and when that was observed. */
function OfAgent({ state, gone, observed_at }: NonNullable<Host["status"]["agent"]>) {
  return (
    <span title={`reported at ${observed_at}`}>
      {gone ? <State state="gone" tone="ended" /> : inWords(state)}
    </span>
  );
}
