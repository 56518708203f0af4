import { expect, it } from "vitest";
import type * as z from "zod";
import { statusSchema } from "../../core/reconcile/status/schema.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** `slipway status` of a bad night: every part that it can have. */

const [time, since] = ["2026-03-01T03:00:00Z", "2026-03-01T02:48:00Z"];
const example = {
  ...{
    operation: "o-2",
    change: "CREATE",
    kind: "cluster",
    id: "c-2",
    name: "two",
    tenant: "acme",
  },
  ...{ step: "ReserveCapacity", message: "3 hosts of type gpu", since },
};

const night: z.input<typeof statusSchema> = {
  time,
  operations: {
    ...{ pending: 1, queued: 2, running: 12, waiting: 9, stalled: 3, stuck: 1, unread: 4 },
  },
  objects: [{ kind: "cluster", total: 7, creating: 2, changing: 0, deleting: 1, failed: 1 }],
  stuck: [{ ...example, operation: "o-1", name: "one", step: "Undo CreateDnsRecords" }],
  waits: [
    {
      ...{ system: "placement", waits_for: "hosts", host_type: "gpu", operations: 9, stalled: 3 },
      ...{ kept: 4, kept_for_others: 9, since, example },
    },
  ],
  more_waits: 0,
  beyond_sla: [
    {
      ...{ kind: "host", id: "h-1", name: "gpu-1", tenant: "shared", operation: "o-3" },
      ...{ state: "HOST_STATE_CLEANING", ends: since },
    },
  ],
  more_beyond_sla: 2,
  queues: [
    { waits_for: "hosts", host_type: "gpu", orders: 101 },
    { waits_for: "vlans", site: "eu-1", orders: 2 },
  ],
  allocations: [
    {
      ...{ id: "a-1", name: "training", tenant: "acme", host_types: ["gpu"], reserved: 6 },
      ...{ kept: 4, used: 1, lacking: 1, free: 0 },
    },
  ],
  more_allocations: 0,
  next_out: [
    {
      ...{ resource: "vlans", pool: "vlans", site: "eu-1", total: 100, used: 92, free: 4 },
      ...{ resting: 4, unavailable: 4, waiting: 2, used_percent: 96, days_left: 2, open: true },
    },
  ],
  switches: {
    intake: { paused: true, by: "root", at: since },
    removal: { paused: true, by: "root", at: since },
  },
  hubs: {
    ...{ total: 4, ready: 1, cordoned: 1, incomplete: 0, pending: 1, unreachable: 1 },
    items: [
      {
        ...{ id: "hub-b", name: "hub-b", state: "HUB_STATE_UNREACHABLE", cordoned: true },
        ...{ message: "it does not answer", last_heard_time: since, last_reached_time: since },
        control_planes: { total: 20, used: 19, free: 1 },
      },
    ],
  },
};

it("tells what is switched off, stuck, waited for, late, reserved, short and away", async () => {
  expect(statusSchema.parse(night)).toEqual(night);
  const terminal = terminalAt(await openSite(), { columns: 160 });
  terminal.intercept = () => Response.json(night);
  const { exit, out, err } = await terminal.slipway("status");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatchInlineSnapshot(`
    "PAUSED: the intake of tenants' changes, by root at 2026-03-01T02:48:00Z; slipway intake resume

    PAUSED: the removal of orphans, by root at 2026-03-01T02:48:00Z; slipway removal resume

    operations  1 stuck, 3 stalled, 12 running, 1 not begun, 2 after another, at least 4 more that were not read
    objects     7 clusters (1 failed)

    1 STUCK: each needs a person
    NAME        KIND     STEP                   FOR      THEN                          WHY
    one (acme)  cluster  Undo CreateDnsRecords  12m 00s  slipway operation resume o-1  3 hosts of type gpu

    9 waiting, by what they wait for
    ORDERS  STALLED  WAIT FOR             KEPT                           FOR      EXAMPLE     WHY
    9       3        placement hosts gpu  4 hosts free, kept for others  12m 00s  two (acme)  3 hosts of type gpu

    3 longer in a state than its SLA says
    NAME            KIND  STATE     BEYOND BY  OPERATION
    gpu-1 (shared)  host  CLEANING  12m 00s    o-3

    Queues
    FOR    TYPE  SITE  ORDERS
    hosts  gpu   -     more than 100
    vlans  -     eu-1  2

    Reserved for tenants
    NAME             TYPE  KEPT  USED  LACKING  FREE FOR ALL
    training (acme)  gpu   4     1     1        0

    Runs out next
    WHAT   WHERE       TAKEN  FREE      LASTS   UNAVAILABLE   WAITING
    vlans  vlans eu-1  96 %   4 of 100  2 days  4, 4 at rest  2

    Hubs that need a look
    NAME   STATE                  HEARD        REACHED      WHY
    hub-b  UNREACHABLE, cordoned  12m 00s ago  12m 00s ago  it does not answer

    hubs        1 of 4 ready, 1 cordoned, 1 pending, 1 unreachable
    "
  `);
});
