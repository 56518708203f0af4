import { useSearchParams } from "react-router";
import type { Page as ListPage } from "../api/client.ts";
import { Refusal } from "../api/client.ts";
import { useRead } from "../api/read.ts";
import type { Holding } from "../generated/answers.ts";
import { Fault, Loaded, Part } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Holder, HoldingState } from "./holder.tsx";
import { heldKinds } from "./holdings.ts";

/** The search for the holder of a number, an address, a name or a host. The address contains the search. */
export function Whose() {
  const [search, setSearch] = useSearchParams();
  const [kind, value] = [search.get("kind") ?? heldKinds[0], search.get("value") ?? ""];
  return (
    <Part title="Whose is it?">
      <form
        key={`${kind} ${value}`}
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const wanted = String(form.get("value") ?? "").trim();
          setSearch(wanted === "" ? {} : { kind: String(form.get("kind")), value: wanted });
        }}
      >
        <label>
          <span className="unseen">What it is</span>
          <select name="kind" defaultValue={kind}>
            {heldKinds.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span className="unseen">Its value</span>
          <input name="value" defaultValue={value} placeholder="107, 203.0.113.9, api.demo…" />
        </label>
        <button type="submit">Find</button>
      </form>
      {value !== "" && <Holdings {...{ kind, value }} />}
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
          empty="Not in use, as far as Slipway knows."
          columns={[
            { name: "Where", cell: ({ site = "", network = "" }) => site || network },
            { name: "State", isState: true, cell: ({ state }) => <HoldingState state={state} /> },
            { name: "Whose", cell: ({ owner }) => <Holder owner={owner} /> },
            { name: "Says", isLong: true, cell: ({ message }) => message },
          ]}
        />
      )}
    </Loaded>
  );
}
