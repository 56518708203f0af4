import type { Host } from "../generated/answers.ts";
import { named, state } from "../orders/columns.tsx";
import { Holder } from "../orders/host.tsx";
import type { Column } from "../ui/table.tsx";

/** The first columns of each table of hosts: name, type, state, owner. */
export const holding: Column<Host>[] = [
  named("Host", "hosts"),
  { name: "Type", cell: ({ spec }) => spec.host_type },
  state,
  {
    name: "Held by",
    cell: ({ status: { owner } }) => owner && <Holder owner={owner} />,
  },
];
