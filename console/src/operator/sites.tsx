import { useState } from "react";
import { Link } from "react-router";
import type { Page as ListPage } from "../api/client.ts";
import { Refusal } from "../api/client.ts";
import { useList, useRead } from "../api/read.ts";
import type { Holding, Site } from "../generated/answers.ts";
import { Facts, Fault, Loaded, Page, Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { Holder, HoldingState } from "./holder.tsx";
import { Numbers } from "./numbers.tsx";

/** Sites: their systems, what is left of their numbers, and whose a number is. */
export function Sites() {
  const read = useList<Site>("sites", { limit: 500 });
  return (
    <Page title="Sites">
      <Whose />
      <Loaded read={read} waiting="Reading the sites …">
        {({ items }) =>
          items.length === 0 ? (
            <p>
              There is no site yet: <code>slipway site create</code>
            </p>
          ) : (
            items.map((site) => <OneSite key={site.id} site={site} />)
          )
        }
      </Loaded>
    </Page>
  );
}

const systems = [
  ...["fabric", "dhcp", "dns", "storage"],
  ...["bare_metal", "inventory", "allocator"],
] as const;
const pools = ["vlans", "prefixes", "floating_ips"] as const;

function OneSite({ site: { id = "", metadata, spec, status } }: { site: Site }) {
  const providers = systems.flatMap((name) => {
    const system = Reflect.get(spec, name) as { provider?: string } | undefined;
    return system?.provider ? [`${name.replace("_", " ")}: ${system.provider}`] : [];
  });
  const known = pools.flatMap((name) => {
    const pool = status.pools?.[name];
    return pool ? [{ name, ...pool }] : [];
  });
  const items = status.orphans?.items ?? [];
  return (
    <Part title={metadata.name || id}>
      <Facts facts={{ Systems: providers.join(", ") }} />
      <Table
        label={`Numbers of ${metadata.name || id}`}
        rows={known}
        idOf={({ name }) => name}
        empty="It has no numbers to give."
        columns={[
          {
            name: "Numbers",
            cell: ({ name }) => (
              <Link to={`/sites/${id}/${name}`}>{name.replaceAll("_", " ")}</Link>
            ),
          },
          { name: "How they are taken", isLong: true, cell: (pool) => <Numbers {...pool} /> },
          {
            name: "Low",
            cell: ({ name }) =>
              status.low.includes(name) && <State state="runs out" tone="stalled" />,
          },
        ]}
      />
      {items.length > 0 && (
        <Table
          label={`Orphans at ${metadata.name || id}`}
          rows={items}
          idOf={(orphan) => `${orphan.system} ${orphan.kind} ${orphan.id}`}
          empty=""
          columns={[
            { name: "Orphan", cell: ({ kind, id: name }) => `${kind} ${name}` },
            { name: "At", cell: ({ system }) => system },
            { name: "Of", cell: ({ cluster }) => cluster },
            { name: "First seen", cell: ({ first_seen }) => <Ago time={first_seen} /> },
          ]}
        />
      )}
    </Part>
  );
}

const kinds = ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"] as const;

/** Whose a number, an address, a name or a host is. */
function Whose() {
  const [asked, setAsked] = useState<{ kind: string; value: string }>();
  return (
    <Part title="Whose is it?">
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const value = String(form.get("value") ?? "").trim();
          if (value !== "") setAsked({ kind: String(form.get("kind")), value });
        }}
      >
        <label>
          <span className="unseen">What it is</span>
          <select name="kind">
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <label>
          <span className="unseen">Its value</span>
          <input name="value" placeholder="107, 203.0.113.9, api.demo…" />
        </label>
        <button type="submit">Find</button>
      </form>
      {asked && <Holdings {...asked} />}
    </Part>
  );
}

function Holdings(query: { kind: string; value: string }) {
  const read = useRead<ListPage<Holding>>("/api/private/v1/owners", { query });
  if (read.error instanceof Refusal) return <Fault error={read.error} />;
  return (
    <Loaded read={read} waiting="Looking …">
      {({ items }) => (
        <Table
          label="Holdings"
          rows={items}
          idOf={(holding) => `${holding.site} ${holding.pool} ${holding.value} ${holding.message}`}
          empty="Nobody's: Slipway does not know it."
          columns={[
            { name: "Where", cell: ({ site = "", network = "" }) => site || network },
            { name: "State", cell: ({ state }) => <HoldingState state={state} /> },
            { name: "Whose", cell: ({ owner }) => <Holder owner={owner} /> },
            { name: "Says", isLong: true, cell: ({ message }) => message },
          ]}
        />
      )}
    </Loaded>
  );
}
