import { expect, it } from "vitest";
import { claimQueued, noteLow } from "../../../core/at-site/claim.ts";
import { numbersOf } from "../../../core/at-site/pools.ts";
import type { PoolUse, Site, SiteNetwork } from "../../../core/at-site/site.ts";
import { poolName } from "../../../core/at-site/site.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { ticketPartition } from "../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { numbersQueue } from "../../../core/placement/queues/tickets.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { attemptAt } from "../../support/attempt.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { holderOf } from "../../support/holders.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { addOrder, type Order } from "../../support/placement.ts";

/** Many orders for the last numbers of a site: one gets them, the others stand in line. */

const network: SiteNetwork = {
  vlans: { first: 100, last: 101 },
  prefixes: { cidr: "10.64.0.0/23", length: 24 },
  floating_ips: { first: "203.0.113.100", last: "203.0.113.103" },
  dns_servers: [],
  rest_minutes: 5,
};
const site: Site = {
  kind: "site",
  id: "site-1",
  metadata: {
    name: "site-1",
    tenant: "shared",
    labels: {},
    annotations: {},
    creator: "test",
    creation_timestamp: "2026-01-01T00:00:00.000Z",
  },
  generation: 0,
  revision: 1,
  spec: { network, credentials: "site/site-1" },
  status: { low: [] },
  event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
};

async function setUp(use: PoolUse, count: number) {
  const deps: TestDeps = testDeps();
  await deps.store.transact(putNew(kinds, site));
  const orders: Order[] = [];
  for (let n = 0; n < 51; n++) {
    orders.push(await addOrder(deps, `order-${n}`, { small: 1 }));
    await deps.clock.advance(1);
  }
  const numbers = numbersOf(deps, site);
  if (!numbers) throw new Error("the site has no network");
  const claimOver =
    (store: Store) =>
    async ({ operation: id, cluster }: Order) => {
      const over = { ...deps, store };
      const step = "Claim";
      const { fence, operation } = await attemptAt(deps, id, step);
      const holder = holderOf("cluster", cluster);
      const here = numbersOf(over, site) ?? numbers;
      const turn = { site, numbers: here, use, holder, count, operation, step, fence: fence() };
      const answer = await claimQueued(over, turn);
      return Array.isArray(answer) ? answer : answer.waitingFor;
    };
  const giveBack = ({ cluster }: Order) =>
    numbers.ipam.release(numbers.pools[use], holderOf("cluster", cluster));
  const [before, ...rest] = orders;
  if (!before) throw new Error("there are no orders");
  return { deps, claim: claimOver(deps.store), claimOver, giveBack, before, rest };
}

it.each([
  ["vlans", 1, "VLAN ids (layer 2 networks of clusters) of site site-1: 2 of 2 in use"],
  ["prefixes", 1, "prefixes (layer 3 networks of clusters) of site site-1: 2 of 2 in use"],
  ["floating_ips", 2, "floating IPs (API and ingress of clusters) of site site-1: 4 of 4 in use"],
] as const)(
  "50 orders for the last of the %s: one gets it, the others wait, and are served in turn",
  async (use, count, words) => {
    const { deps, claim, giveBack, before, rest } = await setUp(use, count);
    const first = await claim(before);
    const answers = await Promise.all(rest.map(claim));
    const winners = answers.filter((answer) => Array.isArray(answer));
    expect(winners).toHaveLength(1);
    expect(new Set([first, ...winners].flat()).size).toBe(2 * count);
    expect(answers.filter((answer) => String(answer).startsWith(words))).toHaveLength(49);
    const line = rest.filter((_, n) => !Array.isArray(answers[n]));
    expect(await Promise.all(line.map(claim))).toEqual(
      line.map((_, n) => `${words}, position ${n + 1} in the queue`),
    );

    // The numbers of the one before them all come back; after their rest, the first in line has them.
    await giveBack(before);
    await deps.clock.advance(5 * 60_000);
    const later = await Promise.all(line.map(claim));
    expect(later.map((answer) => Array.isArray(answer))).toEqual(line.map((_, n) => n === 0));
    expect(later[0]).toHaveLength(count);
  },
);

it.each(["a place in line", "a number"])(
  "an order that is cancelled before it takes %s takes none",
  async (what) => {
    const { deps, claim, claimOver, before, rest } = await setUp("vlans", 1);
    const [late, second] = rest;
    if (!late || !second) throw new Error("there are too few orders");
    const isShort = what === "a place in line";
    if (isShort) for (const order of [before, second]) await claim(order);
    const cancel = { at: "", by: "alice", preempted: false };
    const store = interrupted(deps.store, () =>
      changeObject(deps, "operation", late.operation, (operation) => ({ ...operation, cancel })),
    );
    await expect(claimOver(store)(late)).rejects.toMatchObject({ kind: "Cancelled" });
    const queue = ticketPartition(numbersQueue(poolName(site.id, "vlans")));
    expect((await deps.store.query({ pk: queue })).items).toEqual([]);
    expect(await claim(isShort ? before : second)).toHaveLength(1);
  },
);

it("says of a pool what is so when two that look at it at once have both written", async () => {
  const { deps, claim, giveBack, before } = await setUp("vlans", 2);
  await claim(before);
  const lowIn = async () => (await mustLoad(deps, "site", site.id)).status.low;
  expect(await lowIn()).toEqual(["vlans"]);
  const numbers = numbersOf(deps, site);
  if (!numbers) throw new Error("the site has no network");
  await giveBack(before);
  await noteLow(deps, site, "vlans", numbers);
  expect(await lowIn()).toEqual([]);
  // One sees the pool full and is slow to say so; meanwhile the numbers are given back.
  const claimed = await deps.clock.advance(10 * 60_000).then(() => claim(before));
  expect(claimed).toHaveLength(2);
  await changeObject(deps, "site", site.id, (known) => ({ ...known, status: { low: [] } }));
  const store = interrupted(deps.store, async () => {
    await giveBack(before);
    await noteLow(deps, site, "vlans", numbers);
  });
  await noteLow({ ...deps, store }, site, "vlans", numbers);
  expect(await lowIn()).toEqual([]);
});
