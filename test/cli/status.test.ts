import { expect, it } from "vitest";
import { exits } from "../../cli/exit.ts";
import { statusSchema } from "../../core/reconcile/status/schema.ts";
import { night } from "../support/bad-night.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** `slipway status` of a bad night: every part that it can have. */

it("tells what is switched off, stuck, waited for, late, reserved, short and away", async () => {
  expect(statusSchema.parse(night)).toEqual(night);
  const terminal = terminalAt(await openSite(), { columns: 160 });
  terminal.intercept = () => Response.json(night);
  const { exit, out, err } = await terminal.slipway("status");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatchInlineSnapshot(`
    "PAUSED: the intake of tenants' changes, by root at 2026-03-01T02:48:00Z; slipway intake resume

    PAUSED: the removal of orphans, by root at 2026-03-01T02:48:00Z; slipway removal resume

    operations  1 stuck, 3 stalled, 12 running, 1 not started, 2 queued, at least 4 more that were not read
    objects     7 clusters (1 failed)

    5 need attention, the worst first
    WHAT             NAME                  FOR      THEN                       WHY
    DpuSilent        gpu-2-dpu-1 (shared)  12m 00s  slipway host health gpu-2  expected a report every 10 minutes; it is a DPU of host gpu-2
    HostQuarantined  gpu-3 (shared)        12m 00s  slipway host retry gpu-3   EraseDrives: expected disk nvme0n1 erased; the agent reports something that boots

    1 STUCK: each needs an operator
    NAME        KIND     STEP                   FOR      THEN                          WHY
    one (acme)  cluster  Undo CreateDnsRecords  12m 00s  slipway operation resume o-1  3 hosts of type gpu

    9 waiting, by what they wait for
    ORDERS  STALLED  WAIT FOR             KEPT                               FOR      EXAMPLE     WHY
    9       3        placement hosts gpu  4 hosts free, reserved for others  12m 00s  two (acme)  3 hosts of type gpu

    3 beyond the SLA of their state
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
    WHAT   WHERE       IN USE  FREE      LASTS   UNAVAILABLE   WAITING
    vlans  vlans eu-1  96 %    4 of 100  2 days  4, 4 at rest  2

    Hubs that need attention
    NAME   STATE                  HEARD        REACHED      WHY
    hub-b  UNREACHABLE, cordoned  12m 00s ago  12m 00s ago  it does not answer

    hubs        1 of 4 ready, 1 cordoned, 1 pending, 1 unreachable
    "
  `);
});

it.each([
  ["is empty", {}],
  ["is a list", []],
  ["is a page of a list", { items: [] }],
  ["is a text", "ok"],
  ["has no hubs", { ...night, hubs: null }],
  ["has no switches", { ...night, switches: {} }],
  ["has no object in a list", { ...night, stuck: [null] }],
])("says that somebody else answers where the answer %s", async (_, answer) => {
  const terminal = terminalAt(await openSite());
  terminal.intercept = () => Response.json(answer);
  const { exit, out, err } = await terminal.slipway("status");
  expect({ exit, out }).toEqual({ exit: exits.unreachable, out: "" });
  expect(err).toMatch(
    /^https?:\/\/\S+ does not answer like Slipway\n {2}Cannot .*\n {2}is the address/,
  );
});
