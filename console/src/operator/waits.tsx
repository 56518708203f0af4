import type { Status } from "../generated/answers.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Part } from "../ui/page.tsx";
import { State } from "../ui/state.tsx";
import { Table } from "../ui/table.tsx";
import { For } from "../ui/time.tsx";
import { Bar } from "./bar.tsx";
import { Named } from "./late.tsx";

/** The queues with the orders that wait in them, and what is reserved for tenants. */

export function Waits({ waits, more_waits }: Status) {
  return (
    <Part title="Waits for">
      <Table
        label="What orders wait for"
        rows={waits}
        idOf={(group) =>
          [group.system, group.hub, group.site, group.waits_for, group.host_type].join(" ")
        }
        empty="Nothing waits."
        columns={[
          {
            name: "What",
            cell: ({ system, hub, site, waits_for, host_type }) =>
              [system, hub ?? site, waits_for, host_type].filter(Boolean).join(" · "),
          },
          { name: "Orders", isNumber: true, cell: ({ operations }) => operations },
          { name: "Stalled", isNumber: true, cell: ({ stalled }) => stalled || "" },
          { name: "For", cell: ({ since }) => <For since={since} /> },
          { name: "Longest", cell: ({ example }) => <Named {...example} /> },
          { name: "Why", isLong: true, cell: ({ example }) => example.message },
        ]}
      />
      {more_waits > 0 && <p className="quiet">and {more_waits} more</p>}
    </Part>
  );
}

/** The most tickets that a queue counts. */
const counted = 100;

export function Queues({ queues }: Status) {
  if (queues.length === 0) return null;
  return (
    <Part title="Queues">
      <Table
        label="Queues"
        rows={queues}
        idOf={({ waits_for, site, host_type }) => [waits_for, site, host_type].join(" ")}
        empty=""
        columns={[
          {
            name: "For",
            cell: ({ waits_for, host_type }) =>
              [waits_for.replaceAll("_", " "), host_type].filter(Boolean).join(" · "),
          },
          { name: "Site", cell: ({ site }) => site },
          {
            name: "Orders",
            isNumber: true,
            cell: ({ orders }) => (orders > counted ? `more than ${counted}` : orders),
          },
        ]}
      />
    </Part>
  );
}

export function Allocations({ allocations, more_allocations }: Status) {
  if (allocations.length === 0) return null;
  return (
    <Part title="Reserved for tenants">
      <Table
        label="Hosts reserved for tenants"
        rows={allocations}
        idOf={({ id }) => id}
        empty=""
        columns={[
          { name: "Allocation", cell: ({ tenant, name, id }) => `${tenant} / ${name || id}` },
          { name: "Of", cell: ({ host_types }) => host_types.join(", ") },
          {
            name: "Used",
            cell: ({ reserved, used, kept }) => <Bar total={reserved} used={used} kept={kept} />,
          },
          {
            name: "Lacks",
            cell: ({ lacking }) =>
              lacking > 0 && <State state={`${lacking} missing`} tone="waiting" />,
          },
          { name: "Free for all", isNumber: true, cell: ({ free }) => free },
        ]}
      />
      {more_allocations > 0 && (
        <p className="quiet">
          and {more_allocations} more: <CommandLine line="slipway allocation list" />
        </p>
      )}
    </Part>
  );
}
