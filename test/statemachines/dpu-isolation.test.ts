import { expect, it } from "vitest";
import { load } from "../../core/kernel/object/records.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName } from "../support/dpus.ts";
import { withServers } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { sshKey } from "../support/orders.ts";
import { macOf, packetsOf, withOverlay } from "../support/overlay.ts";
import { seeded } from "../support/random.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { seed } from "../support/seed.ts";
import type { Site } from "../support/site.ts";

/**
 * Two tenants order and delete servers on hosts with DPUs, while DPUs fall silent and answer again: no packet of one
 * reaches a host of the other, and none reaches a host that nobody has or that is not erased yet.
 */

const numbers = [1, 2, 3];

async function withTwoTenants(site: Site): Promise<string[]> {
  await withServers(site);
  await withOverlay(site);
  for (const ask of [site.api, site.neighbour]) {
    const network = await ask("POST", "virtual_networks", {
      metadata: { name: "shop" },
      spec: { ipv4_cidr: "10.20.0.0/16" },
    });
    expect(network.status).toBe(200);
    await site.laptop.pass(60_000);
    const spec = { virtual_network: network.body.id };
    expect((await ask("POST", "subnets", { metadata: { name: "web" }, spec })).status).toBe(200);
  }
  const hosts: string[] = [];
  for (const number of numbers) hosts.push((await addServerWithDpus(site, number)).host);
  for (const host of hosts) await untilHost(site, host, "AVAILABLE");
  return hosts;
}

/** What reaches what it must not, in words; nothing if all is in order. */
async function leaks(site: Site, hosts: readonly string[]): Promise<string[]> {
  const records = recordsIn(site.laptop.store);
  const found = await Promise.all(hosts.map((id) => load(records, "host", id)));
  const tenantOf = (number: number) => {
    const host = found[number - 1];
    return host?.server?.condition === "READY" ? host.status.owner?.tenant : undefined;
  };
  const packets = packetsOf(site);
  return numbers.flatMap((from) =>
    numbers
      .filter((to) => to !== from)
      .flatMap((to) => {
        const { arrives } = packets.reaches({ nic: macOf(from) }, { nic: macOf(to) }, "tcp", 443);
        const isOne = tenantOf(from) !== undefined && tenantOf(from) === tenantOf(to);
        return arrives && !isOne
          ? [`${from} (${tenantOf(from)}) reaches ${to} (${tenantOf(to)})`]
          : [];
      }),
  );
}

it("no packet reaches another tenant's host, nor one that is not erased, whatever DPUs fall silent", async () => {
  const { site, brought: hosts } = await siteAfter(withTwoTenants);
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  for (let turn = 0; turn < 20; turn++) {
    const ask = pick([site.api, site.neighbour]);
    const kind = pick(["order", "order", "delete", "silence", "mend"]);
    if (kind === "order") {
      const network_attachments = [{ subnet: "web" }];
      const spec = { catalog_item: "rhel", ssh_public_key: sshKey("ann"), network_attachments };
      await ask("POST", "baremetal_instances", { metadata: { name: `db-${turn}` }, spec });
    } else if (kind === "delete") {
      const { items = [] } = (await ask("GET", "baremetal_instances")).body;
      if (items.length > 0)
        await ask("DELETE", `baremetal_instances/${pick<{ id: string }>(items).id}`);
    } else if (kind === "silence") {
      const target = `bmc:${dpuName(pick(numbers), pick([0, 1]))}`;
      site.world.faults.add({
        target,
        operation: pick(["agent", "applied"]),
        fault: "hold",
        count: 0,
      });
    } else site.world.faults.clear();
    for (let minute = 0; minute < 8; minute++) {
      await site.laptop.pass(60_000);
      expect(await leaks(site, hosts), `seed ${seed}, turn ${turn}`).toEqual([]);
    }
  }
  // At last all is mended and given back, and nothing is left.
  site.world.faults.clear();
  const isOver = async () => {
    const lists = await Promise.all(
      [site.api, site.neighbour].map(async (ask) => {
        const { items = [] } = (await ask("GET", "baremetal_instances")).body;
        for (const { id } of items) await ask("DELETE", `baremetal_instances/${id}`);
        return items.length;
      }),
    );
    return lists.every((count) => count === 0);
  };
  await site.laptop.until(isOver, "the end of all servers");
  const areBack = async () => {
    const states = await Promise.all(
      hosts.map(async (host) => {
        const { state } = (await hostOf(site, host)).status;
        if (state === "HOST_STATE_QUARANTINED") await site.admin("POST", `hosts/${host}/retry`);
        return state;
      }),
    );
    return states.every((state) => state === "HOST_STATE_AVAILABLE");
  };
  await site.laptop.until(areBack, "all hosts to be back");
  expect(await wrongInBooks(site)).toEqual([]);
});
