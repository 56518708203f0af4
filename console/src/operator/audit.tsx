import { useSearchParams } from "react-router";
import type { Page as ListPage } from "../api/client.ts";
import { useRead } from "../api/read.ts";
import type { AuditEntry } from "../generated/answers.ts";
import { Loaded, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";

/** Who did what, by user, object or tenant. The search is in the address. */

const asked = [
  ["actor", "User"],
  ["object", "Object, such as cluster/0190…"],
  ["tenant", "Tenant"],
] as const;

export function Audit() {
  const [search, setSearch] = useSearchParams();
  const given = asked.flatMap(([name]) => {
    const value = search.get(name);
    return value ? [[name, value] as const] : [];
  });
  return (
    <Page title="Audit">
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const filled = asked.flatMap(([name]) => {
            const value = String(form.get(name) ?? "").trim();
            return value === "" ? [] : [[name, value] as [string, string]];
          });
          setSearch(filled);
        }}
      >
        {asked.map(([name, label]) => (
          <label key={name}>
            {label} <input name={name} defaultValue={search.get(name) ?? ""} />
          </label>
        ))}
        <button type="submit" className="primary">
          Search
        </button>
      </form>
      {given.length === 0 ? (
        <p>
          Name a user, an object or a tenant. The chains of entries are checked with{" "}
          <code>slipway audit verify</code>.
        </p>
      ) : (
        <Entries query={Object.fromEntries(given)} />
      )}
    </Page>
  );
}

function Entries({ query }: { query: Record<string, string> }) {
  const read = useRead<ListPage<AuditEntry>>("/api/private/v1/audit_entries", {
    query: { ...query, limit: 100 },
  });
  return (
    <Loaded read={read} waiting="Searching the audit …">
      {({ items }) => (
        <Table
          label="Audit entries"
          rows={items}
          idOf={({ id }) => id}
          empty="Nobody has done anything there."
          columns={[
            { name: "When", cell: ({ time }) => <Ago time={time} /> },
            {
              name: "Who",
              cell: ({ actor, on_behalf_of }) =>
                `${actor.user}${on_behalf_of ? ` for ${on_behalf_of.user ?? on_behalf_of.tenant}` : ""}`,
            },
            { name: "Did", cell: ({ verb }) => verb },
            { name: "To", cell: ({ kind, object_id }) => `${kind} ${object_id}` },
            { name: "Of", cell: ({ tenant }) => tenant },
            {
              name: "Result",
              cell: ({ result }) => result.replace("AUDIT_RESULT_", "").toLowerCase(),
            },
            { name: "Why", isLong: true, cell: ({ reason }) => reason },
            { name: "From", cell: ({ source }) => source },
          ]}
        />
      )}
    </Loaded>
  );
}
