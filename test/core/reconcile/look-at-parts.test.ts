import { describe, expect, it } from "vitest";
import type { Progress, SiteRecord } from "../../../core/at-site/at-site.ts";
import type { Owners } from "../../../core/at-site/owners.ts";
import { asHostId, asOperationId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Dns, DnsObservation } from "../../../core/ports/dns/dns.ts";
import type {
  Attachment,
  Fabric,
  FabricObservation,
  OwnedNetwork,
} from "../../../core/ports/fabric/fabric.ts";
import { dueFor } from "../../../core/ports/sweep-times.ts";
import { lookAtParts } from "../../../core/reconcile/look-at-parts.ts";
import { sweepHubParts } from "../../../core/reconcile/sweep-parts.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { owners } from "../../../core/resources/generated/owners.ts";
import { addHosts, addHub, addOrder, macOf } from "../../support/placement.ts";
import { waitingDeps } from "../../support/waiting.ts";

/** What is made of what the systems of a site say of a READY cluster. */

const done: Progress = { state: "done", message: "", at: "2026-01-01T00:00:00.000Z" };

const own: SiteRecord = {
  id: "site-1",
  vlan: 100,
  network: {
    number: 0,
    prefix: "10.64.0.0/24",
    gateway: "10.64.0.1",
    api: "10.64.0.2",
    ingress: "10.64.0.3",
    range: { first: "10.64.0.10", last: "10.64.0.250" },
    dns_servers: [],
  },
  floating_ips: { api: "203.0.113.1", ingress: "203.0.113.2" },
  domain: "c1.tenant-a.example.com",
  parts: { layer2: done, layer3: done, attachments: done, floating_ips: done, dns_records: done },
};

const bound = (host: string): Attachment => ({ host, mac: macOf(host), state: "bound" });

const asLeft: FabricObservation = {
  layer2: { state: "done" },
  layer3: { state: "done" },
  attachments: ["s-00001", "s-00002"].map(bound),
  floatingIps: (["api", "ingress"] as const).map((use, n) => ({
    use,
    address: `203.0.113.${n + 1}`,
    progress: { state: "done" },
  })),
  remaining: [],
};

/** A READY cluster with two hosts; the systems say what they are told to. */
async function world() {
  const says = {
    fabric: async (_: OwnedNetwork): Promise<FabricObservation> => asLeft,
    dns: async (): Promise<DnsObservation> => ({ state: "done", message: "" }),
  };
  const systems = {
    fabric: { observe: (network) => says.fabric(network) } as Partial<Fabric>,
    dns: { observe: () => says.dns() } as Partial<Dns>,
  };
  // The look asks for nothing else.
  const sites = { systems: async () => systems } as unknown as StepDeps["sites"];
  const deps = waitingDeps({ sites });
  await addHub(deps, "hub", { site: "site-1" });
  const hosts = ["s-00001", "s-00002"];
  await addHosts(deps, "hub", "small", hosts);
  const order = await addOrder(deps, "c1", { small: 2 });
  const placement = { hub: "hub", at: "", reason: "", rejected: [], hosts: { small: hosts } };
  await changeObject(deps, "cluster", order.cluster, ({ operation: _, ...cluster }) => ({
    ...cluster,
    published: true,
    placement: { ...placement, hosts: { small: hosts.map(asHostId) } } as never,
    site: own,
  }));
  const cluster = () => mustLoad(deps, "cluster", order.cluster);
  const look = async () => lookAtParts(deps, await cluster());
  return { deps, says, cluster, look };
}

const openParts = ({ site }: Cluster) =>
  Object.entries(site?.parts ?? {}).flatMap(([part, { state, message }]) =>
    state === "done" ? [] : [`${part}: ${message}`],
  );

it("all is as it was left: nothing is written", async () => {
  const { cluster, look } = await world();
  const before = await cluster();
  await look();
  expect(await cluster()).toEqual(before);
});

describe("what is missing is written down, and that it is back:", () => {
  it.each<[string, Partial<FabricObservation>, string]>([
    ["a network", { layer2: { state: "absent" } }, "layer2: the network is gone"],
    [
      "a gateway",
      { layer3: { state: "failed", message: "no route" } },
      "layer3: the gateway: no route",
    ],
    [
      "a switch port",
      { attachments: [bound("s-00001")] },
      "attachments: 1 of 2 switch ports are not bound",
    ],
    [
      "an address",
      { floatingIps: asLeft.floatingIps.slice(0, 1) },
      "floating_ips: floating IP 203.0.113.2 for ingress is gone",
    ],
  ])("%s", async (_, change, said) => {
    const { says, cluster, look } = await world();
    says.fabric = async () => ({ ...asLeft, ...change });
    await look();
    expect(openParts(await cluster())).toEqual([said]);
    says.fabric = async () => asLeft;
    await look();
    expect(openParts(await cluster())).toEqual([]);
  });

  it("records", async () => {
    const { says, cluster, look } = await world();
    says.dns = async () => ({ state: "missing", message: "api is not there" });
    await look();
    expect(openParts(await cluster())).toEqual(["dns_records: api is not there"]);
    says.dns = async () => ({ state: "done", message: "" });
    await look();
    expect(openParts(await cluster())).toEqual([]);
  });
});

it("what nobody can tell stays as it was", async () => {
  const { says, cluster, look } = await world();
  const before = await cluster();
  const unknown = { state: "unknown", message: "?" } as const;
  says.fabric = async () => ({
    ...asLeft,
    layer2: unknown,
    layer3: unknown,
    attachments: asLeft.attachments.map((each) => ({ ...each, ...unknown })),
    floatingIps: asLeft.floatingIps.map((each) => ({ ...each, progress: unknown })),
  });
  says.dns = async () => unknown;
  await look();
  expect(await cluster()).toEqual(before);
});

it.each<[string, (cluster: Cluster) => Cluster]>([
  ["an operation has begun", (one) => ({ ...one, operation: asOperationId("op") })],
  ["hosts were given back", (one) => ({ ...one, placement: placedWith(one, ["s-00001"]) })],
  ["a number was given back", (one) => ({ ...one, site: without(one) })],
])("what was seen is dropped when meanwhile %s", async (_, change) => {
  const { deps, says, cluster, look } = await world();
  const { id } = await cluster();
  says.fabric = async () => {
    await changeObject(deps, "cluster", id, change);
    return { ...asLeft, layer2: { state: "absent" }, attachments: [] };
  };
  await look();
  expect(openParts(await cluster())).toEqual([]);
});

describe("the kind of an object", () => {
  const gone: FabricObservation = { ...asLeft, layer2: { state: "absent" } };

  it("says by which names its parts are found", async () => {
    const { deps, says, cluster } = await world();
    const network = { kind: "share", id: "s1", tenant: "tenant-a", name: "share-1", uses: [] };
    const asked: unknown[] = [];
    says.fabric = async (of) => {
      asked.push(of);
      return gone;
    };
    const named = { ...owners.cluster, network: () => network } as typeof owners.cluster;
    await lookAtParts({ ...deps, owners: { cluster: named } }, await cluster());
    expect(asked).toEqual([network]);
    expect(openParts(await cluster())).toEqual(["layer2: the network is gone"]);
  });

  it("says whether it has such parts at all, and whether they are checked", async () => {
    const { deps, says, cluster } = await world();
    says.fabric = async () => gone;
    const { network: _, ...without } = owners.cluster ?? {};
    for (const owning of [undefined, { ...owners.cluster, parts: undefined }, without]) {
      const told = { ...deps, owners: { cluster: owning } as Owners };
      await lookAtParts(told, await cluster());
      await sweepHubParts(told, "hub");
    }
    expect(openParts(await cluster())).toEqual([]);
    await deps.clock.advance(30 * 60_000);
    await sweepHubParts(deps, "hub");
    expect(openParts(await cluster())).toEqual(["layer2: the network is gone"]);
  });
});

it("a hub with few clusters is due every half hour, and in each round while one lacks something", async () => {
  const { deps, says } = await world();
  const rounds = async (minutes: number) => {
    let swept = 0;
    for (let passed = 0; passed < minutes; passed += 5) {
      await deps.clock.advance(5 * 60_000);
      for (const { id } of await dueFor(deps, "parts")) {
        swept += 1;
        await sweepHubParts(deps, id);
      }
    }
    return swept;
  };
  await rounds(35);
  expect(await rounds(60)).toBe(2);
  says.fabric = async () => ({ ...asLeft, layer2: { state: "absent" } });
  await rounds(30);
  expect(await rounds(30)).toBe(6);
});

function placedWith({ placement }: Cluster, hosts: string[]) {
  if (!placement) throw new Error("not placed");
  return { ...placement, hosts: { small: hosts.map(asHostId) } };
}

function without({ site }: Cluster): SiteRecord {
  if (!site) throw new Error("no site");
  const { vlan: _, ...rest } = site;
  return rest;
}
