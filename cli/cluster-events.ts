import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { CliFailure } from "./exit.ts";
import { foundIdOf, type Narrowed, pathTo } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { formIn, renderedOutput } from "./output/print.ts";
import { jsonOf } from "./output/unsafe.ts";
import { at, isRecord, list, shown, text } from "./output/values.ts";

/** `slipway cluster events`: the events of a cluster, oldest first; with `--watch` also new ones. */

export interface ClusterEventsOptions extends Narrowed {
  output?: string;
  watch?: boolean;
}

/** The page size for each check for new events. */
const pageSize = "50";
const pause = 2000;

export async function clusterEvents(call: CliCall<ClusterEventsOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const { out, err } = around;
  const form = formIn(options.output);
  const { client, area } = connect(call);
  const history = operationNamed(`${area}.cluster.history`);
  const get = operationNamed(`${area}.cluster.get`);
  const path = pathTo(history, await foundIdOf(client, get, words[0] ?? "", options));
  const interrupted = options.watch ? around.interrupted() : undefined;
  let [last, isBegun, isLost] = [0, false, false];
  let token: string | undefined;

  const show = async (events: unknown[]) => {
    if (events.length === 0) return;
    if (form === "json") {
      for (const event of events) out.write(`${jsonOf(event)}\n`);
      return;
    }
    const shown = await renderedOutput({ items: events }, { form, columns }, out);
    // Only the first table has a header.
    out.write(isBegun && form !== "name" ? shown.slice(shown.indexOf("\n") + 1) : shown);
    isBegun = true;
  };
  do {
    try {
      const query = { limit: pageSize, page_token: token };
      const { body } = await client.get(path, query, interrupted);
      if (isLost) err.write("Slipway answers again\n");
      isLost = false;
      const news = list(at(body, "items")).filter((each) => sequenceOf(each) > last);
      last = news.reduce<number>((latest, each) => Math.max(latest, sequenceOf(each)), last);
      await show(news);
      const next = text(at(body, "next_page_token"));
      if (next !== "") {
        token = next;
        continue;
      }
    } catch (error) {
      if (interrupted?.aborted) break;
      if (!interrupted || !(error instanceof CliFailure && error.mayPass)) throw error;
      if (!isLost) err.write(`${error.message}; trying again\n`);
      isLost = true;
    }
    if (!interrupted) break;
    await around.pause(pause, interrupted);
  } while (!interrupted?.aborted);
  return undefined;
}

const sequenceOf = (event: unknown): number => Number(at(event, "sequence"));

/** Columns of fixed width, since more rows may follow. */
const columns: Column[] = [
  { head: "TIME", cell: (event) => shown(at(event, "time")) },
  { head: "EVENT", cell: (event) => turnOf(text(at(event, "type"))).padEnd(16) },
  { head: "BY", cell: (event) => shown(at(event, "data.actor.user")).padEnd(12) },
  { head: "CHANGED", cell: changesIn },
];

/** The transition in an event's type, such as `ready` in `slipway.cluster.ready.v1`. */
const turnOf = (type: string): string => /^slipway\.\w+\.(.+)\.v\d+$/.exec(type)?.[1] ?? type;

/** The changes: an enum word with its previous value, any other member by its name. */
function changesIn(event: unknown): string {
  const known = list(at(event, "data.changes")).map((change) => {
    const { path, before, after } = isRecord(change) ? change : {};
    const isWord = [before, after].every((each) => typeof each !== "object" || each === null);
    return isWord ? `${text(path)}: ${wordOf(before)} → ${wordOf(after)}` : text(path);
  });
  return (known.length > 0 ? known : list(at(event, "data.changed")).map(text)).join("; ");
}

const wordOf = (value: unknown): string => shown(value) || "none";
