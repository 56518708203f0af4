import { describe, expect, it } from "vitest";
import {
  claimPrefixes,
  noPoolSince,
  poolsIn,
  refuseOwn,
  refuseTakenPrefixes,
  releasePrefixes,
} from "../../../core/at-site/outside-prefixes.ts";
import {
  addedTo,
  type Own,
  ownOfMachines,
  ownPrefixes,
  twiceIn,
} from "../../../core/at-site/own-prefixes.ts";
import { outsidePrefixesKey } from "../../../core/kernel/object/keys.ts";
import { eq, exists, lacks } from "../../../core/kernel/store/store.ts";

/** A site's own prefixes, and those of its pools of outside addresses. */

type Spec = Parameters<typeof ownPrefixes>[0];
const network = (more: object = {}) =>
  ({
    vlans: { first: 100, last: 199 },
    prefixes: { cidr: "10.64.0.0/12", length: 24 },
    floating_ips: { first: "203.0.113.4", last: "203.0.113.9" },
    dns_servers: ["192.0.2.53"],
    ...more,
  }) as Spec["network"];
const machines = (more: object = {}) =>
  ({
    url: "https://10.250.0.9:8443",
    admin_network: { cidr: "10.240.0.0/16" },
    management_network: { cidr: "10.241.0.7/16" },
    loopbacks: { first: "10.251.0.1", last: "10.251.0.2" },
    ...more,
  }) as unknown as Spec["machines"];
const whole: Spec = { network: network(), machines: machines() } as Spec;

const ownOf = (member: Own["member"], text: string, meaning: string, cidrs = [text]): Own => ({
  ...{ member, text, what: `${text}, ${meaning}`, cidrs },
});
const own = {
  floating: ownOf("network.floating_ips", "203.0.113.4 to 203.0.113.9", "the floating IPs", [
    "203.0.113.4/30",
    "203.0.113.8/31",
  ]),
  clusters: ownOf("network.prefixes.cidr", "10.64.0.0/12", "the prefixes of clusters"),
  dns: ownOf("network.dns_servers", "192.0.2.53", "a name server", ["192.0.2.53/32"]),
  admin: ownOf("machines.admin_network.cidr", "10.240.0.0/16", "the network of free hosts"),
  management: ownOf(
    "machines.management_network.cidr",
    "10.241.0.0/16",
    "the network of controllers and DPUs",
  ),
  loopbacks: ownOf("machines.loopbacks", "10.251.0.1 to 10.251.0.2", "the loopbacks of DPUs", [
    "10.251.0.1/32",
    "10.251.0.2/32",
  ]),
  url: ownOf("machines.url", "10.250.0.9", "the site controller", ["10.250.0.9/32"]),
};
const ofMachines = [own.admin, own.management, own.loopbacks, own.url];

it.each<[string, Spec, object[]]>([
  ["nothing", {} as Spec, []],
  ["a network", { network: network() } as Spec, [own.floating, own.clusters, own.dns]],
  ["machines", { machines: machines() } as Spec, ofMachines],
  ["both", whole, [own.floating, own.clusters, own.dns, ...ofMachines]],
  [
    "machines by a name, without networks",
    {
      machines: machines({
        ...{ url: "https://machines.example.com", admin_network: undefined },
        ...{ management_network: undefined, loopbacks: undefined },
      }),
    } as Spec,
    [],
  ],
])("a site's own prefixes are those of %s", (_, spec, owns) => {
  expect(ownPrefixes(spec)).toEqual(owns);
});

it("overlays must avoid those of machines alone", () => {
  expect(ownPrefixes(whole, ownOfMachines)).toEqual(ofMachines);
});

it.each<[string, Spec | undefined, Spec, object[]]>([
  ["a new site", undefined, { network: network() } as Spec, [own.floating, own.clusters, own.dns]],
  ["no change", whole, whole, []],
  [
    "another name server",
    whole,
    { ...whole, network: network({ dns_servers: ["192.0.2.53", "192.0.2.54"] }) } as Spec,
    [expect.objectContaining({ text: "192.0.2.54" })],
  ],
  [
    "a prefix that moves to another member",
    { machines: machines({ admin_network: { cidr: "10.9.0.0/16" } }) } as Spec,
    {
      machines: machines({
        ...{ admin_network: undefined, management_network: { cidr: "10.9.0.0/16" } },
      }),
    } as Spec,
    [expect.objectContaining({ member: "machines.management_network.cidr" })],
  ],
])("what is new with %s", (_, had, has, added) => {
  expect(addedTo(had, has)).toEqual(added);
});

it.each<[string, object, object, string[]]>([
  ["nothing", {}, {}, []],
  [
    "clusters and the admin network",
    { prefixes: { cidr: "10.240.128.0/20", length: 24 } },
    {},
    ["machines.admin_network.cidr network.prefixes.cidr"],
  ],
  [
    "floating IPs and loopbacks",
    {},
    { loopbacks: { first: "203.0.113.9", last: "203.0.113.12" } },
    ["machines.loopbacks network.floating_ips"],
  ],
  [
    "a name server that a host could be",
    { dns_servers: ["10.64.0.53"] },
    {},
    ["network.dns_servers network.prefixes.cidr"],
  ],
  ["a name server in the admin network", { dns_servers: ["10.240.0.53"] }, {}, []],
  ["a name server among floating IPs", { dns_servers: ["203.0.113.5"] }, {}, []],
  ["a controller in the management network", {}, { url: "https://10.241.0.1" }, []],
  ["two name servers of one address", { dns_servers: ["192.0.2.53", "192.0.2.53"] }, {}, []],
])("what would have two uses: %s", (_, more, ofMachines, pairs) => {
  const spec = { network: network(more), machines: machines(ofMachines) } as Spec;
  expect(twiceIn(spec).map(({ own: a, other: b }) => `${a.member} ${b.member}`)).toEqual(pairs);
});

const item = {
  ...{ pk: "outside", sk: "-", revision: 4 },
  ...{ a: ["203.0.113.0/28", "198.51.100.0/28"], b: ["192.0.2.0/28"] },
};

describe("the prefixes of pools", () => {
  const refusals = (judge: (refuse: (message: string, n: number) => void) => void) => {
    const said: string[] = [];
    judge((message, n) => said.push(`${n}: ${message}`));
    return said;
  };

  it.each<[string, typeof item | undefined, string[], string | undefined, string[]]>([
    ["before the first pool", undefined, ["203.0.113.0/28"], undefined, []],
    ["beside others", item, ["203.0.113.16/28"], undefined, []],
    [
      "of others",
      item,
      ["203.0.113.32/28", "198.51.100.8/30", "192.0.0.0/16"],
      undefined,
      [
        "1: 198.51.100.8/30 overlaps 198.51.100.0/28 of the pool 'a'",
        "2: 192.0.0.0/16 overlaps 192.0.2.0/28 of the pool 'b'",
      ],
    ],
    ["of the pool itself", item, ["203.0.113.0/24"], "a", []],
  ])("are refused if they are taken: %s", (_, stored, cidrs, pool, said) => {
    const at = { site: "site-1", item: stored };
    expect(refusals((refuse) => refuseTakenPrefixes(at, cidrs, refuse, pool))).toEqual(said);
  });

  it("are refused if the site has them itself", () => {
    const owns = [own.floating, own.dns];
    const cidrs = ["198.51.100.0/28", "203.0.113.0/28", "192.0.2.0/24"];
    expect(refusals((refuse) => refuseOwn(owns, "site 'site-1'", cidrs, refuse))).toEqual([
      "1: 203.0.113.0/28 overlaps 203.0.113.4 to 203.0.113.9, the floating IPs of site 'site-1'",
      "2: 192.0.2.0/24 overlaps 192.0.2.53, a name server of site 'site-1'",
    ]);
  });

  it("are read as they are stored", () => {
    expect(poolsIn(undefined)).toEqual([]);
    expect(poolsIn(item)).toEqual([
      { id: "a", cidrs: item.a },
      { id: "b", cidrs: item.b },
    ]);
  });

  it.each([
    ["the first", undefined, lacks("revision")],
    ["a later one", item, eq("revision", 4)],
  ])("are claimed only if no other pool came in between: %s", (_, stored, condition) => {
    const at = { site: "site-1", item: stored };
    const violations: { field: string; message: string }[] = [];
    const update = outsidePrefixesKey("site-1");
    const add = { revision: 1 };
    expect(claimPrefixes(at, "c", ["203.0.113.16/28"], violations)).toEqual({
      ...{ update, add, if: condition, set: { c: ["203.0.113.16/28"] } },
    });
    expect(noPoolSince(at)).toEqual({ update, add, if: condition });
    expect(violations).toEqual([]);
  });

  it.each([
    [99, "new", []],
    [100, "new", [{ field: "spec.site", message: "has 100 pools, the most that it can have" }]],
    [100, "p0", []],
  ])("are refused beyond 100 pools: %i, and those of %s", (count, pool, faults) => {
    const pools = Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, []]));
    const violations: { field: string; message: string }[] = [];
    const at = { site: undefined, item: { pk: "outside", sk: "-", revision: 4, ...pools } };
    claimPrefixes(at, pool, [], violations);
    expect(violations).toEqual(faults);
  });

  it("leave with their pool", () => {
    expect(releasePrefixes(undefined, "a")).toEqual({
      ...{ update: outsidePrefixesKey(undefined), remove: ["a"] },
      ...{ add: { revision: 1 }, if: exists },
    });
  });
});
