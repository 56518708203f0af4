import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { kindPartition } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { wrongInBooks } from "../support/books.ts";
import { everyPage } from "../support/pages.ts";
import { seeded } from "../support/random.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/**
 * The whole system for hours of virtual time: orders, changes, cancellations and deletions at
 * random moments, while systems refuse, stay away, are slow, and workers die. Everything comes from
 * one seed, so that what it finds can be had again: `SIMULATION_SEED` chooses another one.
 */

const seed = Number(process.env.SIMULATION_SEED ?? 7);
const events = Number(process.env.SIMULATION_EVENTS ?? 30);
const minute = 60_000;

interface Outcome {
  orders: number;
  changes: number;
  faults: number;
  lost: number;
  leaked: string[];
  trace: string;
}

async function simulate(from: number, deedsToDo: number): Promise<Outcome> {
  const random = seeded(from);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const site = await openSite({
    network: { floating_ips: { first: "203.0.113.100", last: "203.0.113.107" }, rest_minutes: 5 },
  });
  const trace = createHash("sha256");
  const count = { orders: 0, changes: 0, faults: 0 };
  const live = new Set<string>();

  const deeds: [number, () => Promise<string>][] = [
    [
      4,
      async () => {
        const size = 1 + Math.floor(random() * 3);
        const template = pick(["ocp_4_17_small", "ocp_4_17_small", "ocp_4_17_single_node"]);
        const single = template.endsWith("single_node");
        const id = await site.order(`c${count.orders}`, {
          template: { id: template },
          ...(single ? { template_parameters: { site: "edge" } } : {}),
          node_sets: { workers: { size } },
        });
        count.orders += 1;
        live.add(id);
        return `order ${size} of ${template}`;
      },
    ],
    [
      3,
      async () => {
        const id = pick([...live]);
        if (id === undefined) return "nothing to resize";
        const size = Math.floor(random() * 4);
        const body = { spec: { node_sets: { workers: { size } } } };
        const { status } = await site.api("PATCH", `clusters/${id}`, body);
        count.changes += 1;
        return `resize to ${size}: ${status}`;
      },
    ],
    [
      2,
      async () => {
        const id = pick([...live]);
        if (id === undefined) return "nothing to upgrade";
        count.changes += 1;
        const { status } = await site.api("PATCH", `clusters/${id}`, {
          spec: { version: "4-18-1" },
        });
        // What stopped before goes on.
        const retried =
          status === 200 ? 0 : (await site.api("POST", `clusters/${id}/retry`)).status;
        return `upgrade: ${status}, retry: ${retried}`;
      },
    ],
    [
      2,
      async () => {
        const id = pick([...live]);
        if (id === undefined) return "nothing to delete";
        live.delete(id);
        count.changes += 1;
        return `delete: ${(await site.api("DELETE", `clusters/${id}`)).status}`;
      },
    ],
    [
      1,
      async () => {
        const { body } = await site.api("GET", "operations");
        const open = body.items.filter(({ status }: Wire) => /PENDING|RUNNING/.test(status.state));
        const operation: Wire = pick(open);
        if (!operation) return "nothing to cancel";
        count.changes += 1;
        return `cancel: ${(await site.api("POST", `operations/${operation.id}/cancel`)).status}`;
      },
    ],
    [
      4,
      async () => {
        const target = pick(["hub", "fabric", "dns", "storage", "worker"] as const);
        const fault = pick(["error", "crash_before", "crash_after", "slow", "conflict"] as const);
        // Mostly what passes; a refusal now and then.
        const status = pick([503, 503, 429, 500, 422]);
        const times = 1 + Math.floor(random() * 4);
        site.world.faults.add({ target, fault, status, count: times });
        count.faults += 1;
        return `fault ${target} ${fault} ${status} ×${times}`;
      },
    ],
  ];
  const weighted = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed));

  for (let n = 0; n < deedsToDo; n++) {
    trace.update(`${site.laptop.clock.now()} ${await pick(weighted)()}\n`);
    await site.laptop.pass(Math.floor(random() * 12 * minute));
    await goOn(site);
  }
  site.world.faults.clear();
  // Waits for capacity end when all are deleted; nothing else may keep anybody.
  for (const id of live) await site.api("DELETE", `clusters/${id}`);
  for (let n = 0; n < 60 && (await clusters(site)).length > 0; n++) {
    await site.laptop.pass(10 * minute);
    await goOn(site);
  }
  await site.laptop.pass(15 * minute);
  const lost = (await clusters(site)).map(({ id, status }) => `${id} ${status.state}`);
  for (const line of lost) trace.update(line);
  const leaked = [...site.owned(), ...(await wrongInBooks(site))];
  trace.update(String(site.laptop.clock.now()));
  return { ...count, lost: lost.length, leaked, trace: trace.digest("hex") };
}

/** What an administrator does: whatever is stuck is told to go on. */
async function goOn(site: Site): Promise<void> {
  const { body } = await site.api("GET", "operations");
  for (const { id, status } of body.items)
    if (status.state === "OPERATION_STATE_STUCK") await site.api("POST", `operations/${id}/resume`);
}

const clusters = async ({ laptop }: Site) =>
  (await everyPage(laptop.store, { index: "g4", pk: kindPartition("cluster") })).map((item) =>
    objectIn<"cluster">(kinds, item),
  );

it("orders and faults of some hours: nothing lost, nothing left", async () => {
  const { orders, changes, faults, lost, leaked } = await simulate(seed, events);
  console.log(
    `SIMULATION_SEED=${seed}: orders ${orders}, changes ${changes}, faults ${faults}, lost ${lost}, leaked ${leaked.length}`,
  );
  expect(leaked).toEqual([]);
  expect(lost).toBe(0);
}, 240_000);

it("the same again from the same seed", async () => {
  const [first, second] = [await simulate(seed, 6), await simulate(seed, 6)];
  expect(second.trace).toBe(first.trace);
});
