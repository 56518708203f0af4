import type * as z from "zod";
import { timeText } from "../core/clock.ts";
import type { statusSchema } from "../core/reconcile/status/schema.ts";
import { type CliCall, connect } from "./call.ts";
import type { Column } from "./output/columns.ts";
import { formIn, print } from "./output/print.ts";
import { shellWord } from "./output/shell-word.ts";
import { outputTable } from "./output/table.ts";
import { visible } from "./output/unsafe.ts";
import { between, counted, plainValue } from "./output/values.ts";

/** `slipway status`: what needs an operator, what waits for what, the hubs, and what runs out next. */

type Status = z.output<typeof statusSchema>;

export async function status(call: CliCall<{ output?: string }>): Promise<undefined> {
  const { around, options } = call;
  const form = formIn(options.output);
  const { body } = await connect(call).client.get("/api/private/v1/status");
  if (form !== "table" && form !== "wide") {
    await print(around, body, { form, columns: [] });
    return undefined;
  }
  // The type is that of the API's schema.
  const status = body as Status;
  const parts = [
    ...bannersOf(status),
    countsOf(status),
    ...sections(status).flatMap(({ title, rows, columns }) =>
      rows.length === 0 ? [] : [`${title}\n${outputTable(rows, columns, around.out)}`.trimEnd()],
    ),
    hubsOf(status),
  ];
  around.out.write(visible(`${parts.join("\n\n")}\n`));
  return undefined;
}

interface Section {
  title: string;
  rows: readonly unknown[];
  columns: Column[];
}

const column = <Row>(head: string, cell: (row: Row) => string): Column => ({
  head,
  // The columns of each section fit the type of its rows.
  cell: (row) => plainValue(cell(row as Row)),
});

function sections(status: Status): Section[] {
  const { time } = status;
  const ago = (since: string | undefined): string => between(since, time);
  return [
    {
      title: `${status.attention.length + status.more_attention} need attention, the worst first`,
      rows: status.attention,
      columns: [
        column<Status["attention"][number]>("WHAT", ({ reason }) => reason),
        column<Status["attention"][number]>("NAME", ({ name, tenant }) => `${name} (${tenant})`),
        column<Status["attention"][number]>("FOR", ({ since }) => ago(since)),
        column<Status["attention"][number]>("THEN", ({ command }) => command),
        column<Status["attention"][number]>("WHY", ({ message }) => message),
      ],
    },
    {
      title: `${status.operations.stuck} STUCK: each needs an operator`,
      rows: status.stuck,
      columns: [
        column<Status["stuck"][number]>("NAME", ({ name, tenant }) => `${name} (${tenant})`),
        column<Status["stuck"][number]>("KIND", ({ kind }) => kind),
        column<Status["stuck"][number]>("STEP", ({ step }) => step),
        column<Status["stuck"][number]>("FOR", ({ since }) => ago(since)),
        column<Status["stuck"][number]>(
          "THEN",
          ({ operation }) => `slipway operation resume ${shellWord(operation)}`,
        ),
        column<Status["stuck"][number]>("WHY", ({ message }) => message),
      ],
    },
    {
      title: `${status.operations.waiting} waiting, by what they wait for`,
      rows: status.waits,
      columns: [
        column<Status["waits"][number]>("ORDERS", ({ operations }) => String(operations)),
        column<Status["waits"][number]>("STALLED", ({ stalled }) =>
          stalled ? String(stalled) : "",
        ),
        column<Status["waits"][number]>("WAIT FOR", ({ system, hub, waits_for, site, host_type }) =>
          [system, waits_for, host_type, hub, site].filter((each) => each).join(" "),
        ),
        column<Status["waits"][number]>("KEPT", ({ kept, kept_for_others }) =>
          kept_for_others ? `${kept} hosts free, reserved for others` : "",
        ),
        column<Status["waits"][number]>("FOR", ({ since }) => ago(since)),
        column<Status["waits"][number]>(
          "EXAMPLE",
          ({ example }) => `${example.name} (${example.tenant})`,
        ),
        column<Status["waits"][number]>("WHY", ({ example }) => example.message),
      ],
    },
    {
      title: `${status.beyond_sla.length + status.more_beyond_sla} beyond the SLA of their state`,
      rows: status.beyond_sla,
      columns: [
        column<Status["beyond_sla"][number]>("NAME", ({ name, tenant }) => `${name} (${tenant})`),
        column<Status["beyond_sla"][number]>("KIND", ({ kind }) => kind),
        column<Status["beyond_sla"][number]>("STATE", ({ state }) =>
          state.replace(/^.*_STATE_/, ""),
        ),
        column<Status["beyond_sla"][number]>("BEYOND BY", ({ ends }) => ago(ends)),
        column<Status["beyond_sla"][number]>("OPERATION", ({ operation }) => operation ?? ""),
      ],
    },
    {
      title: "Queues",
      rows: status.queues,
      columns: [
        column<Status["queues"][number]>("FOR", ({ waits_for }) => waits_for),
        column<Status["queues"][number]>("TYPE", ({ host_type }) => host_type ?? ""),
        column<Status["queues"][number]>("SITE", ({ site }) => site ?? ""),
        column<Status["queues"][number]>("ORDERS", ({ orders }) =>
          orders > 100 ? "more than 100" : String(orders),
        ),
      ],
    },
    {
      title: "Reserved for tenants",
      rows: status.allocations,
      columns: [
        column<Status["allocations"][number]>("NAME", ({ name, tenant }) => `${name} (${tenant})`),
        column<Status["allocations"][number]>("TYPE", ({ host_types }) => host_types.join(", ")),
        column<Status["allocations"][number]>("KEPT", ({ kept }) => String(kept)),
        column<Status["allocations"][number]>("USED", ({ used }) => String(used)),
        column<Status["allocations"][number]>("LACKING", ({ lacking }) =>
          lacking ? String(lacking) : "",
        ),
        column<Status["allocations"][number]>("FREE FOR ALL", ({ free }) => String(free)),
      ],
    },
    {
      title: "Runs out next",
      rows: status.next_out,
      columns: [
        column<Status["next_out"][number]>("WHAT", ({ resource }) => resource),
        column<Status["next_out"][number]>("WHERE", ({ region, site, host_type, pool }) =>
          [host_type, pool, region, site].filter((each) => each).join(" "),
        ),
        column<Status["next_out"][number]>("IN USE", ({ used_percent }) => `${used_percent} %`),
        column<Status["next_out"][number]>("FREE", ({ free, total }) => `${free} of ${total}`),
        column<Status["next_out"][number]>("LASTS", ({ days_left }) =>
          days_left === undefined ? "" : `${days_left} days`,
        ),
        column<Status["next_out"][number]>("UNAVAILABLE", ({ unavailable, resting }) =>
          unavailable ? `${unavailable}${resting ? `, ${resting} at rest` : ""}` : "",
        ),
        column<Status["next_out"][number]>("WAITING", ({ waiting }) =>
          waiting ? String(waiting) : "",
        ),
      ],
    },
    {
      title: "Hubs that need attention",
      rows: status.hubs.items,
      columns: [
        column<Status["hubs"]["items"][number]>("NAME", ({ name }) => name),
        column<Status["hubs"]["items"][number]>("STATE", ({ state, cordoned, unobserved }) =>
          [
            state.replace("HUB_STATE_", ""),
            ...(cordoned ? ["cordoned"] : []),
            ...(unobserved ? ["unobserved"] : []),
          ].join(", "),
        ),
        column<Status["hubs"]["items"][number]>("HEARD", ({ last_heard_time }) =>
          last_heard_time ? `${ago(last_heard_time)} ago` : "",
        ),
        column<Status["hubs"]["items"][number]>("REACHED", ({ last_reached_time }) =>
          last_reached_time ? `${ago(last_reached_time)} ago` : "",
        ),
        column<Status["hubs"]["items"][number]>("WHY", ({ message }) => message ?? ""),
      ],
    },
  ];
}

/** The switches that are off; shown first, because they concern everything. */
function bannersOf({ switches: { intake, removal } }: Status): string[] {
  const told = (what: string, { at, by }: { at?: string | undefined; by?: string | undefined }) =>
    `PAUSED: ${what}${by ? `, by ${by}` : ""}${at ? ` at ${timeText(at)}` : ""}`;
  return [
    ...(intake.paused
      ? [`${told("the intake of tenants' changes", intake)}; slipway intake resume`]
      : []),
    ...(removal.paused
      ? [`${told("the removal of orphans", removal)}; slipway removal resume`]
      : []),
  ];
}

function countsOf({ operations, objects }: Status): string {
  const { running, pending, queued, stalled, stuck, unread } = operations;
  const under = [
    `${stuck} stuck`,
    `${stalled} stalled`,
    `${running} running`,
    `${pending} not started`,
    `${queued} queued`,
    ...(unread > 0 ? [`at least ${unread} more that were not read`] : []),
  ].join(", ");
  const there = objects
    .filter(({ total }) => total > 0)
    .map(
      ({ kind, total, failed }) =>
        `${counted(total, kind)}${failed > 0 ? ` (${failed} failed)` : ""}`,
    );
  return [
    `operations  ${under}`,
    ...(there.length > 0 ? [`objects     ${there.join(", ")}`] : []),
  ].join("\n");
}

function hubsOf({
  hubs: { total, ready, cordoned, incomplete, pending, unreachable, unobserved },
}: Status): string {
  const others = Object.entries({ cordoned, incomplete, pending, unreachable, unobserved })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `, ${count} ${name}`);
  return `hubs        ${ready} of ${total} ready${others.join("")}`;
}
