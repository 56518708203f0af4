import { beforeEach, describe, expect, it } from "vitest";
import { asHubId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { fillAllocation } from "../../../core/placement/allocations/fill.ts";
import { noteRoom } from "../../../core/placement/capacity/note-room.ts";
import { clusterPlacing } from "../../../core/resources/cluster/demand.ts";
import { type Api, catalogApi, order, type Person, priv, v1 } from "../../support/api.ts";
import { bigType } from "../../support/bare-metal-offers.ts";
import { testDeps } from "../../support/deps.ts";
import { sshKey } from "../../support/orders.ts";
import { addHosts, addHub } from "../../support/placement.ts";

/** Orders of more hosts than are registered where they may be placed: no wait could serve them. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi(testDeps(), "slipway", undefined, {});
  const { deps } = api;
  await addHub(deps, "east", { region: "east" });
  await addHub(deps, "west", { region: "west", cordoned: true });
  await addHosts(deps, "east", "small", ["e1", "e2", "e3"]);
  await addHosts(deps, "west", "small", ["w1", "w2"]);
  await addHosts(deps, "east", "large", ["l1"]);
  await addHosts(deps, "west", "large", ["l2"]);
});

async function moved(host: string, hub: string): Promise<void> {
  const { status, text } = await api.ask("admin", "PATCH", `${priv}/hosts/${host}`, {
    spec: { hub },
  });
  expect(status, text).toBe(200);
}

/** What is wrong with a request, which a dry run says as well; nothing where it is accepted. */
async function faults(
  path: string,
  body: object,
  { who = "ann", method = "POST" }: { who?: Person; method?: "POST" | "PATCH" } = {},
): Promise<string[]> {
  const [before, separator] = [api.dump(), path.includes("?") ? "&" : "?"];
  const dry = await api.ask(who, method, `${v1}/${path}${separator}dry_run=true`, body);
  expect(api.dump()).toBe(before);
  const said = saidIn(dry);
  const real = await api.ask(who, method, `${v1}/${path}`, body);
  expect(saidIn(real)).toEqual(said);
  if (said.length > 0) expect(api.dump()).toBe(before);
  return said;
}

function saidIn({ status, body, text }: Awaited<ReturnType<Api["ask"]>>): string[] {
  if (status === 200) return [];
  expect(status, text).toBe(400);
  return body.errors.map(
    ({ field, message }: Record<"field" | "message", string>) => `${field}: ${message}`,
  );
}

/** So many workers, and one host of the other type, in a region. */
const sized = (size: number, region?: string, more: object = {}) =>
  order(`of-${size}`, {
    node_sets: { workers: { size }, gpu: { size: 1 } },
    ...(region && { placement: { region } }),
    ...more,
  });
let orders = 0;
const clusters = (size: number, region?: string, who: Person = "ann") => {
  const body = sized(size, region);
  const name = `order-${orders++}`;
  return faults("clusters", { ...body, metadata: { name } }, { who });
};

describe("an order of a cluster", () => {
  it.each([
    ["as many as the region has", 3, "east", []],
    ["as many as a cordoned hub has", 2, "west", []],
    ["as many as any region has", 3, undefined, []],
    [
      "more than the region has",
      40,
      "east",
      ["spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3"],
    ],
    [
      "one more than the region has",
      3,
      "west",
      ["spec.node_sets.workers.size: region west has 2 hosts of type small; order at most 2"],
    ],
    [
      "more than one hub has, where all would be enough",
      5,
      undefined,
      [
        "spec.node_sets.workers.size: regions east and west have 5 hosts of type small, at most 3 of them on one hub, where all have to be; order at most 3",
      ],
    ],
    [
      "hosts in a region that has none",
      1,
      "south",
      [
        "spec.node_sets.gpu.host_type: region south has no hosts of type large; order in another region: east, west",
        "spec.node_sets.workers.host_type: region south has no hosts of type small; order in another region: east, west",
      ],
    ],
  ])("of %s", async (_, size, region, expected) => {
    expect((await clusters(size, region)).sort()).toEqual(expected);
  });

  it("names every other fault with it", async () => {
    const body = sized(40, "east", { template_parameters: {}, version: "9-9-9" });
    const said = await faults("clusters", body);
    expect(said.length).toBeGreaterThan(2);
    expect(said).toContainEqual(expect.stringMatching(/workers.size: region east has 3 hosts/));
  });

  it("of hosts that are quarantined, in maintenance, undiscovered or held waits for them", async () => {
    const { deps } = api;
    await changeObject(deps, "host", "e1", (host) => ({
      ...host,
      server: {
        condition: "USED",
        quarantine: { since: "2026-01-01T00:00:00.000Z", reason: "does not answer" },
      },
    }));
    await changeObject(deps, "host", "e2", (host) => ({
      ...host,
      maintenance: { since: "2026-01-01T00:00:00.000Z", by: "root" },
    }));
    await changeObject(deps, "host", "e3", ({ status: { agent: _, ...status }, ...host }) => ({
      ...host,
      status,
    }));
    expect(await clusters(3, "east")).toEqual([]);
  });

  it("of hosts on a hub that is unreachable, or lacks a setting, waits for it", async () => {
    await changeObject(api.deps, "hub", asHubId("east"), (hub) => {
      const { capacity: _, ...spec } = hub.spec;
      return { ...hub, spec };
    });
    expect(await clusters(3, "east")).toEqual([]);
  });

  it("of hosts on a hub of no region counts in any", async () => {
    await addHub(api.deps, "anywhere");
    await changeObject(api.deps, "hub", asHubId("anywhere"), (hub) => {
      const { region: _, ...spec } = hub.spec;
      return { ...hub, spec };
    });
    await addHosts(api.deps, "anywhere", "small", ["a1", "a2", "a3", "a4"]);
    await addHosts(api.deps, "anywhere", "large", ["a5"]);
    expect(await clusters(4, "south")).toEqual([]);
  });

  it("of node sets of one type adds up", async () => {
    const of = (size: number) => ({ host_type: { name: "small" }, size });
    const template = { metadata: { name: "two" }, title: "Two", node_sets: { a: of(1), b: of(1) } };
    const answer = await api.ask("admin", "POST", `${priv}/cluster_templates`, template);
    expect(answer.status, answer.text).toBe(200);
    const body = (size: number) => ({
      metadata: { name: "one" },
      spec: {
        ...{ template: { name: "two" }, placement: { region: "east" } },
        node_sets: { a: { size }, b: { size: 2 } },
      },
    });
    const message = "region east has 3 hosts of type small, and a and b ask for 4; order at most 3";
    expect(await faults("clusters", body(2))).toEqual([
      `spec.node_sets.a.size: ${message} in all`,
      `spec.node_sets.b.size: ${message} in all`,
    ]);
    expect(await faults("clusters", body(1))).toEqual([]);
  });

  it("of two types that no hub has together", async () => {
    await addHub(api.deps, "second", { region: "east" });
    await addHosts(api.deps, "second", "small", ["s1", "s2", "s3", "s4"]);
    expect(await clusters(3, "east")).toEqual([]);
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets: no hub in region east has 4 hosts of type small and 1 host of type large, and all have to be on one; order fewer, or in several orders",
    ]);
  });

  it("of more than any of two hubs of the region has", async () => {
    await addHub(api.deps, "second", { region: "east" });
    await addHosts(api.deps, "second", "small", ["s1", "s2"]);
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 5 hosts of type small, at most 3 of them on one hub, where all have to be; order at most 3",
    ]);
  });

  it("counts the hubs with its labels alone", async () => {
    await addHub(api.deps, "gold", { region: "east", labels: { tier: "gold" } });
    await addHosts(api.deps, "gold", "small", ["g1", "g2"]);
    await addHosts(api.deps, "gold", "large", ["g3"]);
    const body = (size: number) =>
      sized(size, undefined, { placement: { region: "east", labels: { tier: "gold" } } });
    expect(await faults("clusters", body(3))).toEqual([
      "spec.node_sets.workers.size: region east has 2 hosts of type small on hubs with tier=gold; order at most 2",
    ]);
    expect(await faults("clusters", body(2))).toEqual([]);
  });
});

describe("hosts of other tenants", () => {
  it("on a hub that is theirs count for them alone", async () => {
    await addHub(api.deps, "theirs", { region: "east", tenants: ["tenant-b"] });
    await addHosts(api.deps, "theirs", "small", ["t1", "t2", "t3", "t4", "t5", "t6"]);
    await addHosts(api.deps, "theirs", "large", ["t7"]);
    expect(await clusters(6, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
    expect(await clusters(6, "east", "bob")).toEqual([]);
  });

  it("that an allocation keeps count for its tenant alone", async () => {
    const { deps } = api;
    for (const host of ["w1", "w2"]) await moved(host, "east");
    const { status, text, body } = await api.ask("admin", "POST", `${priv}/allocations`, {
      metadata: { name: "theirs", tenant: "tenant-b" },
      spec: { host_type: "small", reserved: 2 },
    });
    expect(status, text).toBe(200);
    await noteRoom(deps, "east");
    await fillAllocation(deps, body.id);
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
    expect(await clusters(5, "east", "bob")).toEqual([]);
  });
});

describe("a retired host", () => {
  const act = async (verb: string, id: string) => {
    const { status, text } = await api.ask("admin", "POST", `${priv}/hosts/${id}/${verb}`);
    expect(status, text).toBe(200);
  };

  beforeEach(() =>
    changeObject(api.deps, "host", "e1", (host) => ({
      ...host,
      spec: { ...host.spec, bmc: { ...host.spec.bmc, credentials: "bmc/e1" } },
      server: { condition: "CLEAN" },
    })),
  );

  it("counts no more, and again once it is released", async () => {
    await act("retire", "e1");
    await act("retire", "e1");
    expect(await clusters(3, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 2 hosts of type small; order at most 2",
    ]);
    await act("release", "e1");
    expect(await clusters(3, "east")).toEqual([]);
  });

  it("is gone once when it is deleted", async () => {
    const spec = {
      ...{ host_type: "small", hub: "east" },
      bmc: { address: "redfish://10.1.0.1/redfish/v1/Systems/1", username: "u", password: "p" },
      nics: [{ name: "eno1", mac: "52:54:00:00:00:04", switch: "leaf", port: "4" }],
    };
    const registered = { id: "e4", metadata: { name: "e4" }, spec };
    expect((await api.ask("admin", "POST", `${priv}/hosts`, registered)).status).toBe(200);
    expect(await clusters(4, "east")).toEqual([]);
    await act("retire", "e4");
    expect(await clusters(4, "east")).toHaveLength(1);
    expect((await api.ask("admin", "DELETE", `${priv}/hosts/e4`)).status).toBe(200);
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
  });

  it("counts nowhere when it moves, and then there", async () => {
    await act("retire", "e1");
    await moved("e1", "west");
    expect(await clusters(3, "west")).toHaveLength(1);
    await act("release", "e1");
    expect(await clusters(3, "west")).toEqual([]);
    expect(await clusters(3, "east")).toHaveLength(1);
  });

  it("that was retired before such hosts counted no more still counts, and is not counted twice", async () => {
    await changeObject(api.deps, "host", "e1", (host) => ({
      ...host,
      server: { condition: "CLEAN", isRetired: true },
    }));
    expect(await clusters(3, "east")).toEqual([]);
    await act("release", "e1");
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
  });
});

describe("a change of a cluster", () => {
  let id = "";
  const scaled = (size: number, gpu = 1) =>
    faults(
      `clusters/${id}`,
      { spec: { node_sets: { workers: { size }, gpu: { size: gpu } } } },
      { method: "PATCH" },
    );
  beforeEach(async () => {
    const { body } = await api.ask("ann", "POST", `${v1}/clusters`, sized(2, "east"));
    id = body.id;
  });

  it("to as many as there are is accepted, and to more is refused", async () => {
    expect(await scaled(50)).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
    expect(await scaled(3)).toEqual([]);
  });

  it("counts the hosts of its own hub once it has one", async () => {
    await addHub(api.deps, "larger", { region: "east" });
    await addHosts(api.deps, "larger", "small", ["x1", "x2", "x3", "x4", "x5"]);
    await changeObject(api.deps, "cluster", id, (cluster) =>
      clusterPlacing.placed(
        cluster,
        {
          ...{ hub: asHubId("east"), at: "2026-01-01T00:00:00.000Z", reason: "", rejected: [] },
          hosts: {},
        },
        { spec: {} } as never,
      ),
    );
    expect(await scaled(4)).toEqual([
      "spec.node_sets.workers.size: its hub has 3 hosts of type small; order at most 3",
    ]);
    expect(await scaled(3)).toEqual([]);
  });

  it("to fewer is accepted where there are not even so many any more", async () => {
    for (const host of ["e1", "e2", "e3"]) await moved(host, "west");
    expect(await scaled(1)).toEqual([]);
    expect(await scaled(2)).toEqual([
      "spec.node_sets.workers.size: region east has no hosts of type small; order at most 1",
    ]);
  });
});

describe("an order of servers", () => {
  beforeEach(async () => {
    const put = async (kind: string, body: object) => {
      const { status, text } = await api.ask("admin", "POST", `${priv}/${kind}`, body);
      expect(status, text).toBe(200);
    };
    await put("network_classes", {
      metadata: { name: "overlay" },
      implementation_strategy: "overlay",
      is_default: true,
      spec: { vni_range: { first: 5000, last: 5999 } },
    });
    const made = async (kind: "virtual_network" | "subnet", name: string, spec: object) => {
      const answer = await api.ask("ann", "POST", `${v1}/${kind}s`, { metadata: { name }, spec });
      expect(answer.status, answer.text).toBe(200);
      await changeObject(api.deps, kind, answer.body.id, (each) => ({ ...each, made: true }));
    };
    await made("virtual_network", "shop", { ipv4_cidr: "10.20.0.0/16" });
    await made("subnet", "web", { virtual_network: "shop", ipv4_cidr: "10.20.1.0/24" });
    for (const name of ["metal", "other"])
      await put("host_types", {
        metadata: { name },
        hardware: { cpus: 64, memory_gib: 512, dpus: 1 },
      });
    await put("bare_metal_instance_types", bigType({ name: "p0" }));
    const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };
    await put("baremetal_instance_templates", {
      ...{ id: "rhel", metadata: { name: "rhel" }, host_type: "big", spec_defaults: { image } },
    });
    await put("baremetal_instance_catalog_items", {
      ...{ id: "rhel", metadata: { name: "rhel" }, template: "rhel", published: true },
    });
  });
  const server = (name: string, region?: string) => ({
    metadata: { name },
    spec: {
      ...{ catalog_item: "rhel", ssh_public_key: sshKey("ann") },
      network_attachments: [{ subnet: "web" }],
      ...(region && { placement: { region } }),
    },
  });
  const batch = (count: number, region?: string) =>
    faults("baremetal_instances/batch", {
      items: Array.from({ length: count }, (_, n) => server(`s${n}`, region)),
    });

  it("is refused where there is no host for it", async () => {
    expect(await faults("baremetal_instances", server("one"))).toEqual([
      "spec.catalog_item: no region has hosts for servers of type big; order another type, or ask the provider for such hosts",
    ]);
  });

  it("is refused in a region without such hosts, and says which have some", async () => {
    await addHosts(api.deps, "west", "other", ["o1"]);
    expect(await faults("baremetal_instances", server("one", "east"))).toEqual([
      "spec.placement.region: region east has no hosts for servers of type big; order in another region: west",
    ]);
    expect(await faults("baremetal_instances", server("one", "west"))).toEqual([]);
  });

  it("is by the host type of which there are hosts, though none of them is free", async () => {
    await addHosts(api.deps, "west", "other", ["o1"]);
    expect(await faults("baremetal_instances", server("one"))).toEqual([]);
  });

  it("is refused of more at once than one hub has", async () => {
    await addHosts(api.deps, "east", "metal", ["m1", "m2"]);
    await addHosts(api.deps, "west", "metal", ["m3"]);
    expect(await batch(3, "east")).toEqual([
      "items: region east has 2 hosts for servers of type big; order at most 2",
    ]);
    expect(await batch(3)).toEqual([
      "items: regions east and west have 3 hosts for servers of type big, at most 2 of them on one hub, where all have to be; order at most 2",
    ]);
    expect(await batch(2, "east")).toEqual([]);
  });
});

describe("where there are many hubs", () => {
  const addMany = async (count: number) => {
    for (let n = 0; n < count; n++) await addHub(api.deps, `h${n}`, { region: "east" });
  };
  const counted = async () => {
    for (const hub of ["east", "west"]) await noteRoom(api.deps, hub);
  };

  it("an order is refused by what the relay has counted in its region", async () => {
    await addMany(10);
    await counted();
    expect(await clusters(4, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
    expect(await clusters(3, "east")).toEqual([]);
  });

  it("an order is accepted of hosts that the relay has not counted yet", async () => {
    await addMany(10);
    await counted();
    await addHosts(api.deps, "east", "small", ["e4"]);
    expect(await clusters(4, "east")).toEqual([]);
  });

  it("the relay alone is asked where there are very many, and nobody's hosts are told to others", async () => {
    await addMany(100);
    await addHub(api.deps, "theirs", { region: "east", tenants: ["tenant-b"], cordoned: true });
    await addHosts(api.deps, "theirs", "small", ["t1", "t2"]);
    await counted();
    await noteRoom(api.deps, "theirs");
    expect(await clusters(8, "east")).toEqual([
      "spec.node_sets.workers.size: region east has 3 hosts of type small; order at most 3",
    ]);
    expect(await clusters(3, "east")).toEqual([]);
  });
});
