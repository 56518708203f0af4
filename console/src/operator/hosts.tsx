import { useState } from "react";
import { useSearchParams } from "react-router";
import { pace, useList } from "../api/read.ts";
import type { Host } from "../generated/answers.ts";
import { why } from "../orders/columns.tsx";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { holding } from "./holding.tsx";
import styles from "./hosts.module.css";

/** Hosts by rack and switch: the state of each, and who has it. */
export function Hosts() {
  const [search, setSearch] = useSearchParams();
  // The field has a text of its own: what is typed fast is not taken back by an address that comes later.
  const [text, setText] = useState(search.get("find") ?? "");
  const find = (wanted: string) => {
    setText(wanted);
    setSearch(wanted ? { find: wanted } : {}, { replace: true });
  };
  const read = useList<Host>("hosts", { limit: 1000 }, () => pace.list);
  return (
    <Page
      title="Hosts"
      beside={
        <label>
          Find{" "}
          <input
            type="search"
            value={text}
            placeholder="name, MAC, rack, tenant"
            onChange={({ target }) => find(target.value)}
          />
        </label>
      }
    >
      <Loaded read={read} waiting="Reading the hosts …">
        {({ items, total }) => {
          const found = items
            .filter((host) => wordsIn(host).includes(text.toLowerCase()))
            .toSorted((a, b) => byName(placeOf(a), placeOf(b)));
          if (items.length === 0)
            return (
              <p>
                There is no host yet: <code>slipway host import</code>
              </p>
            );
          return (
            <>
              {total > items.length && (
                <p className="quiet">
                  The first {items.length} of {total}.
                </p>
              )}
              {found.length === 0 && <p>No host is like “{text}”.</p>}
              {[...Map.groupBy(found, rackOf)].map(([rack, hosts]) => (
                <Part key={rack} title={rack}>
                  <Racked rack={rack} hosts={hosts} />
                </Part>
              ))}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const rackOf = ({ spec, status }: Host): string =>
  status.inventory?.rack
    ? `Rack ${status.inventory.rack}`
    : `Switch ${spec.nics[0]?.switch ?? "unknown"}`;

const placeOf = (host: Host): string => `${rackOf(host)} ${host.metadata.name}`;
/** `rack-2` comes before `rack-10`. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

const wordsIn = ({ id, metadata, spec, status }: Host): string =>
  [
    ...[id, metadata.name, spec.host_type, spec.hub, spec.bmc.address],
    ...[rackOf({ metadata, spec, status }), status.owner?.tenant, status.owner?.name],
    ...spec.nics.flatMap(({ mac, switch: name, port }) => [mac, name, port]),
  ]
    .join(" ")
    .toLowerCase();

function Racked({ rack, hosts }: { rack: string; hosts: Host[] }) {
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
        why,
      ]}
    />
  );
}
