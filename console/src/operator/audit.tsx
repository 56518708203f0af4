import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Page as ListPage } from "../api/client.ts";
import { useRead } from "../api/read.ts";
import type { AuditEntry } from "../generated/answers.ts";
import { pageOf } from "../orders/kinds.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Ago, presentTime } from "../ui/time.tsx";

/** The audit: who did what, by user, object or tenant, newest first. The address contains the search. */

const asked = [
  ["actor", "User"],
  ["object", "Object, by its id"],
  ["tenant", "Tenant"],
] as const;

/** How far back to search, by the parameter in the address. */
const times = {
  "": { words: "since ever", ms: undefined },
  hour: { words: "in the last hour", ms: 3_600_000 },
  day: { words: "in the last day", ms: 86_400_000 },
  week: { words: "in the last week", ms: 7 * 86_400_000 },
} as const;

const msOf = (name: string): number | undefined =>
  Object.entries(times).find(([each]) => each === name)?.[1].ms;

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
          const since = String(form.get("since") ?? "");
          setSearch(since === "" ? filled : [...filled, ["since", since]]);
        }}
      >
        {asked.map(([name, label]) => (
          <label key={name}>
            {label} <input name={name} defaultValue={search.get(name) ?? ""} />
          </label>
        ))}
        <label>
          <span className="unseen">When</span>
          <select name="since" defaultValue={search.get("since") ?? ""}>
            {Object.entries(times).map(([name, { words }]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="primary">
          Search
        </button>
      </form>
      {given.length === 0 ? (
        <p>
          Name a user, an object or a tenant. The chains of entries are checked with{" "}
          <CommandLine line="slipway audit verify" />.
        </p>
      ) : (
        <Entries
          key={search.toString()}
          query={Object.fromEntries(given)}
          ms={msOf(search.get("since") ?? "")}
        />
      )}
    </Page>
  );
}

function Entries({ query, ms }: { query: Record<string, string>; ms: number | undefined }) {
  // The start of the search stays the same at every rendering.
  const [since] = useState(() =>
    ms === undefined ? undefined : new Date(presentTime() - ms).toISOString(),
  );
  const filter = since === undefined ? undefined : `this.time >= ${JSON.stringify(since)}`;
  const read = useRead<ListPage<AuditEntry>>("/api/private/v1/audit_entries", {
    query: { ...query, limit: 100, order: "time desc", ...(filter && { filter }) },
  });
  return (
    <Loaded read={read} waiting="Searching the audit …">
      {({ items }) => (
        <Table
          label="Audit entries"
          rows={items}
          idOf={({ id }) => id}
          empty="No entries."
          columns={[
            { name: "When", cell: ({ time }) => <Ago time={time} /> },
            {
              name: "Who",
              cell: ({ actor, on_behalf_of }) =>
                `${actor.user}${on_behalf_of ? ` for ${on_behalf_of.user ?? on_behalf_of.tenant}` : ""}`,
            },
            { name: "Did", cell: ({ verb }) => verb },
            { name: "To", cell: (entry) => <Touched {...entry} /> },
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

/** The object of an entry: its name where the entry has it, as a link to its page. */
function Touched({ kind, object_id: id, after, before }: AuditEntry) {
  const page = pageOf({ kind, id });
  const words = `${kind.replaceAll("_", " ")} ${nameIn(after) ?? nameIn(before) ?? id}`;
  return page ? <Link to={page}>{words}</Link> : words;
}

/** The name in an object of an audit entry. */
function nameIn(object: unknown): string | undefined {
  if (typeof object !== "object" || object === null || !("metadata" in object)) return undefined;
  const { name } = object.metadata as { name?: string };
  return name || undefined;
}
