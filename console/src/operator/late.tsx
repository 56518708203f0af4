import { Link } from "react-router";
import type { Status } from "../generated/answers.ts";
import { pageOf } from "../orders/kinds.ts";
import { Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { For } from "../ui/time.tsx";

/** The list pages that show objects without a page of their own. */
const among: Readonly<Record<string, (id: string) => string>> = {
  hub: (id) => `/hubs#${id}`,
  site: () => "/sites",
};

/** An object's name, as a link if it has a page. */
export function Named({
  kind,
  id,
  name,
  tenant,
}: Pick<Status["stuck"][0], "kind" | "id" | "name" | "tenant">) {
  const page = pageOf({ kind, id }) ?? among[kind]?.(id);
  const words = tenant === "shared" ? name || id : `${tenant} / ${name || id}`;
  return page ? <Link to={page}>{words}</Link> : words;
}

/** Hosts, DPUs and servers that exceed the SLA of their state. */
export function BeyondSla({ beyond_sla, more_beyond_sla }: Status) {
  if (beyond_sla.length === 0) return null;
  return (
    <Part title="Longer than the SLA">
      <Table
        label="Beyond their SLA"
        rows={beyond_sla}
        idOf={({ kind, id }) => `${kind} ${id}`}
        empty=""
        columns={[
          { name: "What", cell: ({ kind }) => kind.replaceAll("_", " ") },
          { name: "Name", cell: (row) => <Named {...row} /> },
          { name: "State", isState: true, cell: ({ state }) => <State state={state} /> },
          { name: "Late by", cell: ({ ends }) => <For since={ends} /> },
        ]}
      />
      {more_beyond_sla > 0 && <p className="quiet">and {more_beyond_sla} more</p>}
    </Part>
  );
}
