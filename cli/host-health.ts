import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { foundIdOf, pathTo } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { formIn, print } from "./output/print.ts";
import { outputTable } from "./output/table.ts";
import { at, list, shown } from "./output/values.ts";

/** `slipway host health`: which systems report on a host, and its faults. */

export async function hostHealth(call: CliCall<{ output?: string }>): Promise<undefined> {
  const { around, options, words } = call;
  const { out, err } = around;
  const form = formIn(options.output);
  const { client } = connect(call);
  const get = operationNamed("private.host.get");
  const [name = ""] = words;
  const { body } = await client.get(pathTo(get, await foundIdOf(client, get, name)));
  const health = at(body, "status.health");
  if (health === undefined) {
    err.write(`no source has reported on ${name}\n`);
    return undefined;
  }
  if (form !== "table" && form !== "wide") {
    await print(around, health, { form, columns: [] });
    return undefined;
  }
  const prevents = at(health, "prevents_allocation") === true;
  const state = shown(at(health, "state"));
  out.write(
    `${name} ${state} since ${shown(at(health, "since"))}${prevents ? ": no order gets it" : ""}\n`,
  );
  out.write(`\n${outputTable(list(at(health, "sources")), sources, out)}`);
  const alerts = list(at(health, "alerts"));
  if (alerts.length > 0) out.write(`\n${outputTable(alerts, columns, out)}`);
  return undefined;
}

const column = (head: string, path: string): Column => ({
  head,
  cell: (each) => shown(at(each, path)),
});

const sources: Column[] = [
  column("SOURCE", "source"),
  column("HEARD", "observed_at"),
  column("EVERY (s)", "interval_seconds"),
  { head: "FINE", cell: (each) => String(list(at(each, "successes")).length) },
  { head: "ALERTS", cell: (each) => String(list(at(each, "alerts")).length) },
  column("LATE SINCE", "late_since"),
];

const columns: Column[] = [
  column("ALERT", "id"),
  column("OF", "target"),
  column("BY", "source"),
  column("SINCE", "since"),
  column("MEANS", "classifications"),
  column("WHY", "message"),
];
