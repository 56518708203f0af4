import { Link, useSearchParams } from "react-router";
import { useList } from "../api/read.ts";
import { useSignedIn } from "../session/session.ts";
import { Empty } from "../ui/empty.tsx";
import { isSome } from "../ui/listed.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { hub, named, state, why, work } from "./columns.tsx";
import { choices, orderedKinds, soon } from "./kinds.ts";
import styles from "./list.module.css";
import type { Ordered, OrderedKind } from "./ordered.ts";

/** Orders of one kind, newest first; the address contains the filter. */

const pageSize = 50;

export function Orders() {
  const [search, setSearch] = useSearchParams();
  const { isStaff } = useSignedIn();
  const kind = orderedKinds.find(({ plural }) => plural === search.get("kind")) ?? clusters;
  const shown = search.get("show") ?? "All";
  const tenant = (isStaff && search.get("tenant")) || undefined;
  const filter = [
    ...(tenant === undefined ? [] : [`this.metadata.tenant == ${JSON.stringify(tenant)}`]),
    choices.find(({ name }) => name === shown)?.filter?.(kind),
  ]
    .filter((each) => each !== undefined)
    .join(" && ");
  const offset = Math.max(0, Number(search.get("from") ?? 0) || 0);
  const change = (member: string, value: string | undefined) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (member !== "from") after.delete("from");
      if (value === undefined) after.delete(member);
      else after.set(member, value);
      return after;
    });
  const read = useList<Ordered>(
    kind.plural,
    { limit: pageSize, offset, ...(filter && { filter }) },
    soon,
  );
  return (
    <Page title={kind.many} beside={isSome(read) && !isStaff && kind === clusters && newCluster}>
      <div className={styles.choices}>
        <label>
          <span className="unseen">Kind</span>
          <select value={kind.plural} onChange={({ target }) => change("kind", target.value)}>
            {orderedKinds
              .filter(({ isOfStaff }) => isStaff || !isOfStaff)
              .map(({ plural, many }) => (
                <option key={plural} value={plural}>
                  {many}
                </option>
              ))}
          </select>
        </label>
        <fieldset className={styles.chips}>
          <legend className="unseen">Which</legend>
          {choices.map(({ name }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown}
              onClick={() => change("show", name === "All" ? undefined : name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        {tenant !== undefined && (
          <button type="button" aria-pressed onClick={() => change("tenant", undefined)}>
            Of {tenant} alone
          </button>
        )}
      </div>
      <Loaded hasPages read={read} waiting={`Reading ${kind.many.toLowerCase()} …`}>
        {({ items, total }) => (
          <>
            <Table
              label={kind.many}
              columns={columnsFor(kind, isStaff)}
              rows={items}
              idOf={({ id = "" }) => id}
              empty={emptyOf(kind, filter !== "", isStaff)}
            />
            <Pager
              {...{ offset, total }}
              go={(to) => change("from", to ? String(to) : undefined)}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const [clusters] = orderedKinds as readonly [OrderedKind, ...OrderedKind[]];

function columnsFor({ plural }: OrderedKind, isStaff: boolean): Column<Ordered>[] {
  const ofTenant: Column<Ordered> = { name: "Tenant", cell: ({ metadata }) => metadata.tenant };
  return [
    named("Name", plural),
    ...(isStaff ? [ofTenant] : []),
    state,
    ...work,
    ...(isStaff && isOnHub.has(plural) ? [hub] : []),
    why,
    { name: "Ordered", cell: ({ metadata }) => <Ago time={metadata.creation_timestamp} /> },
  ];
}

const isOnHub = new Set(["clusters", "baremetal_instances"]);

/** The command that creates the first object. */
const creating = (plural: string): string =>
  plural === "clusters"
    ? "slipway cluster create NAME --template TEMPLATE"
    : `slipway ${plural.replace(/s$/, "").replaceAll("_", "-")} create NAME`;

function emptyOf(kind: OrderedKind, isPart: boolean, isStaff: boolean) {
  if (isPart) return "None of them now.";
  return (
    <Empty
      action={isStaff || kind !== clusters ? undefined : newCluster}
      command={creating(kind.plural)}
    >
      There is no {kind.one} yet.
    </Empty>
  );
}

const newCluster = (
  <Link className="button primary" to="/new">
    New cluster
  </Link>
);

function Pager({ offset, total, go }: { offset: number; total: number; go(offset: number): void }) {
  if (total <= pageSize) return null;
  const last = Math.min(total, offset + pageSize);
  return (
    <nav className="row" aria-label="Pages">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => go(Math.max(0, offset - pageSize))}
      >
        Before
      </button>
      <span className="quiet">
        {offset + 1} to {last} of {total}
      </span>
      <button type="button" disabled={last >= total} onClick={() => go(offset + pageSize)}>
        Next
      </button>
    </nav>
  );
}
