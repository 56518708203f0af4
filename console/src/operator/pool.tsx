import { Link, useParams, useSearchParams } from "react-router";
import { useObject, useRead } from "../api/read.ts";
import type { Holding, Site, SiteNumbers } from "../generated/answers.ts";
import { pageOf } from "../orders/kinds.ts";
import { quoted } from "../ui/command.ts";
import { Loaded, Page, Part } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { Holder, HoldingState } from "./holder.tsx";
import styles from "./pool.module.css";

/** The numbers on one page. */
const limit = 512;

/** The numbers of one pool of a site: each free, held by an owner, or resting until a time. */
export function Pool() {
  const { id = "", pool = "" } = useParams();
  const [search, setSearch] = useSearchParams();
  const from = search.get("from") ?? undefined;
  const site = useObject<Site>("sites", id);
  const path = `/api/private/v1/sites/${encodeURIComponent(id)}/numbers`;
  const read = useRead<SiteNumbers>(path, { query: { pool, from, limit } });
  const name = site.data?.metadata.name || id;
  return (
    <Page
      title={`${pool.replaceAll("_", " ")} of ${name}`}
      beside={
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = String(new FormData(event.currentTarget).get("from") ?? "").trim();
            setSearch(wanted ? { from: wanted } : {});
          }}
        >
          <label>
            Begin at{" "}
            <input
              key={from}
              type="search"
              name="from"
              defaultValue={from}
              placeholder={read.data?.items[0]?.value}
            />
          </label>
          <button type="submit">Go</button>
        </form>
      }
    >
      <Loaded read={read} waiting="Reading the numbers …">
        {(page) => (
          <>
            <Pages {...page} />
            <Squares items={page.items} />
            <Part title="Numbers">
              <Numbers items={page.items} />
            </Part>
            <p className="quiet">
              <code>
                slipway site numbers {quoted(name)} --pool {page.pool}
                {from !== undefined && ` --from ${from}`}
              </code>
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The range of numbers on this page, and links to the others. */
function Pages({ items, total, previous, next }: SiteNumbers) {
  const [first, last] = [items[0], items.at(-1)];
  return (
    <nav className="row" aria-label="Pages of the pool">
      {previous !== undefined && <Link to={`?from=${encodeURIComponent(previous)}`}>Before</Link>}
      <span>
        {first && last ? `${first.value} to ${last.value}` : "none"}
        <span className="quiet">, of {total} numbers</span>
      </span>
      {next !== undefined && <Link to={`?from=${encodeURIComponent(next)}`}>After</Link>}
    </nav>
  );
}

/** A square for each number, for eye and mouse; the table has the same as text. */
function Squares({ items }: Pick<SiteNumbers, "items">) {
  return (
    <div className={styles.squares} aria-hidden="true">
      {items.map(({ value, state, message, owner }) => {
        const page = owner && pageOf(owner);
        const common = { className: styles[state], title: `${value}: ${message}` };
        return page ? (
          <Link key={value} to={page} tabIndex={-1} {...common} />
        ) : (
          <span key={value} {...common} />
        );
      })}
    </div>
  );
}

/** Consecutive free numbers are one row. */
function Numbers({ items }: Pick<SiteNumbers, "items">) {
  return (
    <Table
      label="Numbers"
      rows={rowsOf(items)}
      idOf={({ first }) => first.value}
      empty="The site has no numbers for orders."
      columns={[
        {
          name: "Number",
          cell: ({ first, last }) => (
            <code>{first === last ? first.value : `${first.value} … ${last.value}`}</code>
          ),
        },
        { name: "How many", isNumber: true, cell: ({ count }) => count },
        { name: "State", isState: true, cell: ({ first }) => <HoldingState state={first.state} /> },
        { name: "Whose", cell: ({ first }) => <Holder owner={first.owner} /> },
        { name: "Since", cell: ({ first }) => <Ago time={first.since} /> },
        { name: "Rests until", cell: ({ first }) => <Ago time={first.resting_until} /> },
        {
          name: "Says",
          isLong: true,
          cell: ({ first }) => first.state !== "FREE" && first.message,
        },
      ]}
    />
  );
}

interface Row {
  first: Holding;
  last: Holding;
  count: number;
}

function rowsOf(items: readonly Holding[]): Row[] {
  const rows: Row[] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row && row.first.state === "FREE" && item.state === "FREE") {
      row.last = item;
      row.count += 1;
    } else rows.push({ first: item, last: item, count: 1 });
  }
  return rows;
}
