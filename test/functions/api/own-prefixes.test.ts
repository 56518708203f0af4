import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import {
  type Answer,
  type Api,
  catalogApi,
  order as clusterOrder,
  priv,
  v1,
} from "../../support/api.ts";
import { made, poolAt, siteWithFabric } from "../../support/outside-pools.ts";

/** What a site has for itself is nobody else's: networks of tenants, pools, and its own other prefixes. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await siteWithFabric(api, "hall");
  await poolAt(api, "hall", "outside", "100.100.0.0/24");
  await changedSite(site);
});

const machines = {
  url: "http://192.168.7.2:8080",
  admin_network: { cidr: "10.240.0.0/16", gateway: "10.240.0.1" },
  management_network: { cidr: "10.250.0.0/16" },
  loopbacks: { first: "10.251.0.1", last: "10.251.0.9" },
};
const network = {
  floating_ips: { first: "100.100.1.10", last: "100.100.1.20" },
  dns_servers: ["192.168.9.53"],
};
const site = { machines, network };

const admin = (method: string, path: string, body?: unknown) =>
  api.ask("admin", method, `${priv}/${path}`, body);
async function changedSite(spec: object): Promise<void> {
  const { status, text } = await admin("PATCH", "sites/hall", { spec });
  expect(status, text).toBe(200);
}
const refusals = ({ status, body }: Answer): string[] => {
  if (status === 200) return [];
  expect([status, body.code]).toEqual([400, 3]);
  return body.errors.map((each: { field: string; message: string }) =>
    `${each.field}: ${each.message}`.replace(/: an address would have two meanings$/, ""),
  );
};

const classOf = (implementation_strategy: string, spec: object = {}) => ({
  metadata: { name: implementation_strategy },
  implementation_strategy,
  is_default: true,
  spec: {
    ...(implementation_strategy === "fabric" && { site: "hall" }),
    ...(implementation_strategy === "overlay" && { vni_range: { first: 1, last: 99 } }),
    ...(implementation_strategy === "hub" && { hub: "hub-1" }),
    ...spec,
  },
});
const ordered = (spec: object, query = "") =>
  api.ask("ann", "POST", `${v1}/virtual_networks${query}`, { metadata: { name: "shop" }, spec });
const order = (ipv4_cidr: string) => ordered({ ipv4_cidr }, "?dry_run=true");
const kept = (cidr: string) => [
  `spec.ipv4_cidr: must not overlap ${cidr}, which the provider keeps for itself`,
];

/** A prefix for a network, what of the site's own is in the way, and who minds. */
const prefixes: readonly [what: string, prefix: string, own: string, minds: string[]][] = [
  ["the admin network", "10.240.0.0/16", "10.240.0.0/16", ["fabric", "overlay"]],
  ["a part of it", "10.240.9.0/24", "10.240.0.0/16", ["fabric", "overlay"]],
  ["what is around it", "10.224.0.0/11", "10.240.0.0/16", ["fabric", "overlay"]],
  ["the network of controllers", "10.250.1.0/24", "10.250.0.0/16", ["fabric", "overlay"]],
  ["loopbacks of DPUs", "10.251.0.0/28", "10.251.0.1 to 10.251.0.9", ["fabric", "overlay"]],
  ["the site controller", "192.168.7.0/24", "192.168.7.2", ["fabric", "overlay"]],
  ["the prefixes of clusters", "10.64.9.0/24", "10.64.0.0/16", ["fabric"]],
  ["floating IPs", "100.100.1.16/28", "100.100.1.10 to 100.100.1.20", ["fabric"]],
  ["a pool at the site", "100.100.0.0/25", "100.100.0.0/24", ["fabric"]],
  ["a name server", "192.168.9.0/24", "192.168.9.53", ["fabric"]],
  ["a pool without a site", "100.101.0.0/25", "100.101.0.0/24", ["overlay"]],
  ["the prefix before the admin network", "10.239.0.0/16", "", []],
  ["the prefix behind it", "10.241.0.0/16", "", []],
  ["another one", "10.20.0.0/16", "", []],
  ["addresses beside the loopbacks", "10.251.0.16/28", "", []],
];

describe.each(["fabric", "overlay", "hub"])("a network of the strategy %s", (strategy) => {
  beforeEach(async () => {
    await poolAt(api, undefined, "anywhere", "100.101.0.0/24");
    if (strategy === "hub") {
      const example = Object(documentationOf(documentations, "hub").example);
      await made(api, "hubs", { ...example, id: "hub-1", metadata: { name: "hub-1" } });
    }
    await made(api, "network_classes", classOf(strategy));
  });

  it.each(prefixes)(
    "over %s (%s) is refused where that collides",
    async (_, prefix, own, minds) => {
      expect(refusals(await order(prefix))).toEqual(minds.includes(strategy) ? kept(own) : []);
    },
  );

  it("has IPv6 beside the site's own", async () => {
    expect(refusals(await ordered({ ipv6_cidr: "fd00:20::/48" }, "?dry_run=true"))).toEqual([]);
  });
});

describe("a network class", () => {
  const fabric = (spec: object) => admin("POST", "network_classes", classOf("fabric", spec));
  const pools = (...cidrs: string[]) => ({ prefix_pools: { ipv4: { cidrs, length: 24 } } });
  const inWay = "10.240.0.0/16, the network of free hosts of site 'hall'";

  it("gives no prefix that the site has for itself, and no default of one", async () => {
    expect(refusals(await fabric(pools("10.20.0.0/16", "10.240.4.0/22")))).toEqual([
      `spec.prefix_pools.ipv4.cidrs[1]: must not overlap ${inWay}`,
    ]);
    expect(refusals(await fabric(pools("100.100.0.0/20")))).toEqual([
      expect.stringMatching(/must not overlap 100.100.1.10 to 100.100.1.20, the floating IPs of/),
    ]);
    const defaults = { virtual_network_ipv4_cidr: "10.250.0.0/20" };
    expect(refusals(await fabric({ defaults }))).toEqual([
      expect.stringMatching(/^spec.defaults.virtual_network_ipv4_cidr: .* 10.250.0.0\/16, which/),
    ]);
    expect(refusals(await fabric(pools("10.20.0.0/16")))).toEqual([]);
    const changed = { spec: pools("10.20.0.0/16", "10.251.0.0/24") };
    expect(refusals(await admin("PATCH", "network_classes/fabric", changed))).toHaveLength(1);
  });
});

describe("a site", () => {
  const change = (spec: object) => admin("PATCH", "sites/hall", { spec });
  const admin_network = (cidr: string) => ({
    machines: { admin_network: { cidr, gateway: cidr.replace(/0\/.*/, "1") } },
  });
  const at = "spec.machines.admin_network.cidr";

  it.each<[string, object, string[]]>([
    [
      "prefixes of clusters",
      admin_network("10.64.4.0/22"),
      [
        `${at}: 10.64.4.0/22, the network of free hosts overlaps 10.64.0.0/16, the prefixes of clusters`,
      ],
    ],
    [
      "network of controllers",
      admin_network("10.250.0.0/24"),
      [
        "spec.machines.management_network.cidr: 10.250.0.0/16, the network of controllers and DPUs overlaps 10.250.0.0/24, the network of free hosts",
      ],
    ],
    [
      "floating IPs",
      admin_network("100.100.1.0/24"),
      [
        `${at}: 100.100.1.0/24, the network of free hosts overlaps 100.100.1.10 to 100.100.1.20, the floating IPs`,
      ],
    ],
    [
      "loopbacks",
      admin_network("10.251.0.0/24"),
      [
        "spec.machines.loopbacks: 10.251.0.1 to 10.251.0.9, the loopbacks of DPUs overlaps 10.251.0.0/24, the network of free hosts",
      ],
    ],
    [
      "pool",
      admin_network("100.100.0.0/24"),
      [`${at}: 100.100.0.0/24 overlaps 100.100.0.0/24 of the pool`],
    ],
    ["nothing", admin_network("10.241.0.0/24"), []],
    [
      "name server, which would be a host of a cluster",
      { network: { dns_servers: ["192.0.2.53", "10.64.0.53"] } },
      [
        "spec.network.dns_servers: 10.64.0.53, a name server overlaps 10.64.0.0/16, the prefixes of clusters",
      ],
    ],
    ["nothing, though a name server is there", { network: { dns_servers: ["10.240.0.53"] } }, []],
    [
      "nothing, though the site controller is there",
      { machines: { url: "http://10.250.0.2" } },
      [],
    ],
  ])("has none of its addresses for two things: its %s", async (_, spec, right) => {
    const said = refusals(await change(spec));
    expect(said.map((each) => each.replace(/ of the pool '.*/, " of the pool"))).toEqual(right);
  });

  it("with a pool that DPUs announce has none of its addresses for machines", async () => {
    await poolAt(api, undefined, "anywhere", "100.101.0.0/24");
    const said = refusals(await change(admin_network("100.101.0.0/22")));
    expect(said).toEqual([
      expect.stringMatching(/^spec.machines.admin_network.cidr: .* of the pool/),
    ]);
    // A new site, too.
    const spec = { machines: { ...machines, management_network: { cidr: "100.101.0.0/22" } } };
    const other = await admin("POST", "sites", { id: "two", metadata: { name: "two" }, spec });
    expect(refusals(other)).toEqual([
      expect.stringMatching(/^spec.machines.management_network.cidr: .* of the pool/),
    ]);
  });

  it.each(["fabric", "overlay"])("takes no prefix that networks of %s have", async (strategy) => {
    await made(api, "network_classes", classOf(strategy));
    expect((await ordered({ ipv4_cidr: "10.20.0.0/16" })).status).toBe(200);
    const before = api.dump();
    expect(refusals(await change(admin_network("10.20.4.0/22")))).toEqual([
      `${at}: overlaps 10.20.0.0/16 of network 'shop' of tenant 'tenant-a'`,
    ]);
    expect(api.dump()).toBe(before);
    // Name servers are a fabric's to tell, and are not asked in an overlay.
    expect(refusals(await change({ network: { dns_servers: ["10.20.0.53"] } }))).toEqual(
      strategy === "fabric"
        ? ["spec.network.dns_servers: overlaps 10.20.0.0/16 of network 'shop' of tenant 'tenant-a'"]
        : [],
    );
    const spec = { machines: { url: "http://10.20.0.2" } };
    const other = await admin("POST", "sites", { id: "two", metadata: { name: "two" }, spec });
    expect(refusals(other)).toEqual(
      strategy === "overlay"
        ? ["spec.machines.url: overlaps 10.20.0.0/16 of network 'shop' of tenant 'tenant-a'"]
        : [],
    );
    expect(refusals(await change(admin_network("10.21.0.0/22")))).toEqual([]);
  });

  it("takes no prefix that a class gives to networks", async () => {
    const prefix_pools = { ipv4: { cidrs: ["10.20.0.0/16"], length: 24 } };
    await made(api, "network_classes", classOf("fabric", { prefix_pools }));
    expect(refusals(await change(admin_network("10.20.4.0/22")))).toEqual([
      `${at}: overlaps 10.20.0.0/16 of the network class 'fabric'`,
    ]);
  });
});

describe("a pool of outside addresses", () => {
  const pool = (cidrs: string[], at: object) =>
    admin("POST", "external_ip_pools", {
      metadata: { name: "more" },
      spec: { ip_family: "IP_FAMILY_IPV4", cidrs, ...at },
    });
  const hall = { site: "hall" };

  it.each<[string, string, object, RegExp | undefined]>([
    ["admin network", "10.240.0.0/24", hall, /the network of free hosts of the site$/],
    [
      "loopbacks",
      "10.251.0.0/28",
      hall,
      /10.251.0.1 to 10.251.0.9, the loopbacks of DPUs of the site$/,
    ],
    ["name server", "192.168.9.0/24", hall, /192.168.9.53, a name server of the site$/],
    ["site controller", "192.168.7.0/24", hall, /192.168.7.2, the site controller of the site$/],
    ["controllers", "10.250.0.0/24", {}, /controllers and DPUs of site 'hall'$/],
    ["floating IPs, which DPUs do not announce,", "100.100.1.0/24", {}, undefined],
  ])("has none of a site's own: %s %s", async (_, cidr, at, right) => {
    expect(refusals(await pool(["198.51.100.0/28", cidr], at))).toEqual(
      right ? [expect.stringMatching(right)] : [],
    );
  });

  it.each<[string, object]>([
    ["fabric", hall],
    ["overlay", {}],
  ])("has no prefix that networks of %s have", async (strategy, at) => {
    await made(api, "network_classes", classOf(strategy, { allows_public: true }));
    expect((await ordered({ ipv4_cidr: "198.51.100.0/24" })).status).toBe(200);
    expect(refusals(await pool(["198.51.100.16/28"], at))).toEqual([
      "spec.cidrs[0]: overlaps 198.51.100.0/24 of network 'shop' of tenant 'tenant-a'",
    ]);
    expect(refusals(await pool(["203.0.113.0/28"], at))).toEqual([]);
  });
});

describe("the prefixes inside a cluster", () => {
  const hub = async (name: string, at: string, more: object = {}) => {
    const example = Object(documentationOf(documentations, "hub").example);
    const spec = { ...example.spec, site: at, ...more };
    await made(api, "hubs", { ...example, id: name, metadata: { name }, spec });
  };
  const cluster = (inside: object, more: object = {}) =>
    api.ask(
      "ann",
      "POST",
      `${v1}/clusters?dry_run=true`,
      clusterOrder("one", { network: inside, ...more }),
    );
  const pods = (pod_cidr: string) => ({ pod_cidr });
  const over = (member: string, text: string) => [
    `spec.network.${member}: must not overlap ${text}, which the provider reserves for itself at a site where the cluster may be placed`,
  ];

  it.each<[string, object, string[]]>([
    ["clusters' own networks", pods("10.64.0.0/14"), over("pod_cidr", "10.64.0.0/16")],
    ["a part of them", { service_cidr: "10.64.8.0/22" }, over("service_cidr", "10.64.0.0/16")],
    [
      "floating IPs",
      { service_cidr: "100.100.1.0/24" },
      over("service_cidr", "100.100.1.10 to 100.100.1.20"),
    ],
    ["a pool", { service_cidr: "100.100.0.0/24" }, over("service_cidr", "100.100.0.0/24")],
    ["a name server", { service_cidr: "192.168.8.0/22" }, over("service_cidr", "192.168.9.53")],
    ["the admin network, where no node asks", pods("10.240.0.0/14"), []],
    ["the prefix before clusters' networks", pods("10.60.0.0/14"), []],
    ["the default", pods("10.128.0.0/14"), []],
    ["nothing", {}, []],
    ["nothing of IPv4", { pod_cidr: "fd01::/48", service_cidr: "fd02::/112" }, []],
  ])("are refused over what its site has: %s %j", async (_, inside, right) => {
    await hub("hub-1", "hall");
    expect(refusals(await cluster(inside))).toEqual(right);
  });

  describe("that its order does not name", () => {
    const cidrOf = (cidr: string) => ({ network: { prefixes: { cidr, length: 24 } } });
    const byDefault = (member: string, cidr: string, text: string) => [
      `spec.network.${member}: ${cidr}, the default of ${member}, overlaps ${text}, which the provider reserves for itself at a site where the cluster may be placed: name another ${member}`,
    ];
    const podsOver = (text: string) => byDefault("pod_cidr", "10.128.0.0/14", text);
    const servicesOver = (text: string) => byDefault("service_cidr", "172.30.0.0/16", text);

    it.each<[string, object, string[], object]>([
      [
        "clusters' networks",
        cidrOf("10.128.0.0/14"),
        podsOver("10.128.0.0/14"),
        pods("10.32.0.0/14"),
      ],
      ["a part of them", cidrOf("10.131.0.0/16"), podsOver("10.131.0.0/16"), pods("10.32.0.0/14")],
      [
        "clusters' networks of services",
        cidrOf("172.30.0.0/16"),
        servicesOver("172.30.0.0/16"),
        { service_cidr: "172.29.0.0/16" },
      ],
      [
        "floating IPs",
        { network: { floating_ips: { first: "10.130.0.4", last: "10.130.0.9" } } },
        podsOver("10.130.0.4 to 10.130.0.9"),
        pods("10.32.0.0/14"),
      ],
      [
        "a name server",
        { network: { dns_servers: ["172.30.0.10"] } },
        servicesOver("172.30.0.10"),
        { service_cidr: "172.29.0.0/16" },
      ],
    ])("are refused over what its site has: %s", async (_, spec, right, named) => {
      expect(refusals(await admin("PATCH", "sites/hall", { spec }))).toEqual([]);
      // No hub is there yet.
      expect(refusals(await cluster({}))).toEqual([]);
      await hub("hub-1", "hall");
      expect(refusals(await cluster({}))).toEqual(right);
      expect(refusals(await cluster(named))).toEqual([]);
    });

    it("are refused over a pool of outside addresses there", async () => {
      await hub("hub-1", "hall");
      await poolAt(api, "hall", "more", "172.30.4.0/28");
      expect(refusals(await cluster({}))).toEqual(servicesOver("172.30.4.0/28"));
    });

    it("are listed where they were accepted before", async () => {
      await hub("hub-1", "hall");
      const { body } = await api.ask("ann", "POST", `${v1}/clusters`, clusterOrder("one"));
      const spec = cidrOf("10.128.0.0/14");
      expect(refusals(await admin("PATCH", "sites/hall", { spec }))).toEqual([]);
      await changeObject(api.deps, "cluster", body.id, (object) => ({
        ...object,
        site: { id: "hall", parts: {} },
      }));
      expect((await admin("GET", "invalid_objects")).body.items).toMatchObject([
        { kind: "cluster", violations: [{ field: "spec.network.pod_cidr" }] },
      ]);
    });
  });

  it("are judged by the sites alone at which it may be", async () => {
    // No hub is at the site.
    expect(refusals(await cluster(pods("10.64.0.0/14")))).toEqual([]);
    await hub("hub-1", "hall", { region: "north" });
    await made(api, "sites", { id: "two", metadata: { name: "two" }, spec: {} });
    await hub("hub-2", "two", { region: "south" });
    expect(refusals(await cluster(pods("10.64.0.0/14")))).toHaveLength(1);
    const at = (region: string) => cluster(pods("10.64.0.0/14"), { placement: { region } });
    expect(refusals(await at("north"))).toHaveLength(1);
    expect(refusals(await at("south"))).toEqual([]);
  });

  it("are refused in a template where no site is without them", async () => {
    const template = (network: object) =>
      admin("POST", "cluster_templates?dry_run=true", {
        metadata: { name: "narrow" },
        node_sets: { workers: { host_type: "small", size: 1 } },
        spec_defaults: { network },
      });
    const right = [
      "spec_defaults.network.pod_cidr: overlaps what each site has for itself, such as 10.64.0.0/16 of site 'hall'",
    ];
    expect(refusals(await template(pods("10.64.0.0/14")))).toEqual(right);
    expect(refusals(await template(pods("10.60.0.0/14")))).toEqual([]);
    // A site without a network has no say.
    await made(api, "sites", { id: "two", metadata: { name: "two" }, spec: {} });
    expect(refusals(await template(pods("10.64.0.0/14")))).toEqual(right);
    await siteWithFabric(api, "three", "10.96.0.0/16");
    expect(refusals(await template(pods("10.64.0.0/14")))).toEqual([]);
    expect(refusals(await template(pods("10.64.0.0/10")))).toHaveLength(1);
  });

  it("go on where they were stored before, and are listed", async () => {
    await hub("hub-1", "hall");
    const { body } = await api.ask("ann", "POST", `${v1}/clusters`, clusterOrder("one"));
    await changeObject(api.deps, "cluster", body.id, (object) => ({
      ...object,
      site: { id: "hall", parts: {} },
      spec: { ...object.spec, network: { pod_cidr: "10.64.0.0/14" } },
    }));
    expect((await admin("GET", "invalid_objects")).body.items).toMatchObject([
      { kind: "cluster", violations: [{ field: "spec.network.pod_cidr" }] },
    ]);
    const path = `${v1}/clusters/${body.id}`;
    const labels = { metadata: { labels: { a: "b" } } };
    expect(refusals(await api.ask("ann", "PATCH", path, labels))).toEqual([]);
    expect((await api.ask("ann", "DELETE", `${path}?dry_run=true`)).status).toBe(200);
  });
});

describe("what was stored before", () => {
  /** The site as former code has taken it. */
  const store = (spec: object) =>
    changeObject(api.deps, "site", "hall", (object) => ({
      ...object,
      spec: { ...object.spec, machines: { ...machines, ...spec } },
    }));
  const invalid = async () => (await admin("GET", "invalid_objects")).body.items;
  const labels = { metadata: { labels: { a: "b" } } };

  it.each(["fabric", "overlay"])("a network of %s goes on, and is listed", async (strategy) => {
    await made(api, "network_classes", classOf(strategy, { reserved: ["10.30.0.0/16"] }));
    const { id } = (await ordered({ ipv4_cidr: "10.20.0.0/16" })).body;
    expect(await invalid()).toEqual([]);
    await store({ admin_network: { cidr: "10.20.0.0/22", gateway: "10.20.0.1" } });
    expect(await invalid()).toMatchObject([
      { kind: "virtual_network", id, violations: [{ field: "spec.ipv4_cidr" }] },
    ]);
    const path = `${v1}/virtual_networks/${id}`;
    expect((await api.ask("ann", "GET", path)).status).toBe(200);
    expect((await api.ask("ann", "PATCH", path, labels)).status).toBe(200);
    expect((await api.ask("ann", "DELETE", `${path}?dry_run=true`)).text).not.toContain("overlap");
    // The site is changed elsewhere, and mended.
    expect(refusals(await admin("PATCH", "sites/hall", { spec: { orphans: "report" } }))).toEqual(
      [],
    );
    expect(refusals(await admin("PATCH", "sites/hall", { spec: { machines } }))).toEqual([]);
    expect(await invalid()).toEqual([]);
  });

  it("a pool, a class and a site go on, and are listed", async () => {
    const prefix_pools = { ipv4: { cidrs: ["10.20.0.0/16"], length: 24 } };
    await made(api, "network_classes", classOf("fabric", { prefix_pools }));
    await store({
      admin_network: { cidr: "10.20.0.0/22", gateway: "10.20.0.1" },
      management_network: { cidr: "100.100.0.0/22" },
    });
    const found = await invalid();
    const fields = (kind: string) =>
      found
        .filter((each: { kind: string }) => each.kind === kind)
        .flatMap((each: { violations: { field: string }[] }) =>
          each.violations.map(({ field }) => field),
        );
    expect(fields("external_ip_pool")).toEqual(["spec.cidrs[0]"]);
    expect(fields("network_class")).toEqual(["spec.prefix_pools.ipv4.cidrs[0]"]);
    expect(fields("site")).toEqual(["spec.machines.management_network.cidr"]);
    const changes: [string, object][] = [
      ["sites/hall", { spec: { network: { rest_minutes: 11 } } }],
      ["network_classes/fabric", { title: "Ours" }],
      [
        `external_ip_pools/${found.find((each: { kind: string }) => each.kind === "external_ip_pool").id}`,
        { spec: { rest_minutes: 11 } },
      ],
    ];
    for (const [path, body] of changes) {
      expect(refusals(await admin("PATCH", path, labels))).toEqual([]);
      expect(refusals(await admin("PATCH", path, body))).toEqual([]);
    }
    expect(await invalid()).toHaveLength(3);
  });
});

it("a name server in the prefixes of clusters, stored before that was refused, is listed and stays", async () => {
  await changeObject(api.deps, "site", "hall", (hall) => ({
    ...hall,
    spec: {
      ...hall.spec,
      ...(hall.spec.network && { network: { ...hall.spec.network, dns_servers: ["10.64.0.53"] } }),
    },
  }));
  const { body } = await admin("GET", "invalid_objects");
  expect(body.items).toMatchObject([
    { id: "hall", violations: [{ field: "spec.network.dns_servers" }] },
  ]);
  await changedSite({ machines: { url: "http://192.168.7.3:8080" } });
  const extended = { network: { dns_servers: ["10.64.0.54"] } };
  expect(refusals(await admin("PATCH", "sites/hall", { spec: extended }))).toHaveLength(1);
});
