import type { Site } from "../generated/answers.ts";
import { quoted } from "../ui/command.ts";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";

interface OrphansProps {
  /** The hub or site that has them. */
  of: { kind: "hub" | "site"; name: string };
  spec: Pick<Site["spec"], "orphans">;
  orphans: Site["status"]["orphans"] | undefined;
}

/** Objects on a hub or at a site whose owner does not exist any more, and what happens to them. */
export function Orphans({ of: { kind, name }, spec, orphans }: OrphansProps) {
  if (!orphans || orphans.count === 0) return null;
  const { count, items } = orphans;
  return (
    <div>
      <Table
        label={`Orphans of ${name}`}
        rows={items}
        idOf={(orphan) => `${orphan.system} ${orphan.kind} ${orphan.id}`}
        empty=""
        columns={[
          { name: "Orphan", cell: (orphan) => `${orphan.kind} ${orphan.id}` },
          { name: "At", cell: ({ system }) => system },
          { name: "Of", cell: ({ cluster }) => cluster },
          { name: "First seen", cell: ({ first_seen }) => <Ago time={first_seen} /> },
        ]}
      />
      {count > items.length && <p className="quiet">and {count - items.length} more</p>}
      <p>
        Slipway made them, and has no record of whose they are.{" "}
        {spec.orphans === "remove" ? (
          "Slipway deletes what still exists after an hour."
        ) : (
          <>
            They stay until an operator deletes them, or lets Slipway do it:{" "}
            <code>
              slipway {kind} update {quoted(name)} --orphans remove
            </code>
          </>
        )}
      </p>
    </div>
  );
}
