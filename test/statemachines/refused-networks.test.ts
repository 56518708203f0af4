import { beforeEach, describe, expect, it } from "vitest";
import { atRest, orderOf, readyNetwork, withNetworks } from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** What a careless tenant is told of a network, a subnet or a group: one fault, at its field, once. */

let site: Site;
beforeEach(async () => {
  site = await openSite();
  await withNetworks(site);
  await readyNetwork(site, "shop");
});

const faultsOf = async (kind: string, spec: object): Promise<string[]> => {
  const { status, body } = await site.api("POST", kind, { metadata: { name: "wrong" }, spec });
  expect(status).toBe(400);
  const errors: { field: string; message: string }[] = body.errors;
  return errors.map(({ field, message }) => `${field}: ${message}`);
};

const isNone = "is not a CIDR, such as 10.20.0.0/16 or fd00:20::/48";

describe("a prefix that is none", () => {
  it.each([
    ["ipv4_cidr", "10.0.0.0"],
    ["ipv6_cidr", "fd00::/129"],
  ])("is the one fault of a network with the %s %s", async (member, cidr) => {
    expect(await faultsOf("virtual_networks", { [member]: cidr })).toEqual([
      `spec.${member}: '${cidr}' ${isNone}`,
    ]);
  });

  it("is told in a subnet too, even if the network has no room", async () => {
    const whole = await orderOf(site, "virtual_networks", "whole", { ipv4_cidr: "10.30.0.0/24" });
    await atRest(site, "virtual_networks", whole);
    await orderOf(site, "subnets", "all", { virtual_network: "whole" });
    expect(await faultsOf("subnets", { virtual_network: "whole", ipv4_cidr: "10.30" })).toEqual([
      `spec.ipv4_cidr: '10.30' ${isNone}`,
    ]);
  });
});

it.each([
  ["ipv6_cidr", "10.20.2.0/24", "must be an IPv6 prefix, and 10.20.2.0/24 is none"],
  ["ipv4_cidr", "fd00:20::/64", "must be an IPv4 prefix, and fd00:20::/64 is none"],
])("says once that the %s %s is of the other family", async (member, cidr, said) => {
  expect(await faultsOf("subnets", { virtual_network: "shop", [member]: cidr })).toEqual([
    `spec.${member}: ${said}`,
  ]);
});

describe("a reference that names nothing", () => {
  const rule = (security_group: unknown) => ({
    virtual_network: "shop",
    ingress: [{ protocol: "PROTOCOL_ALL", security_group }],
  });
  it.each<[string, object, string]>([
    [
      "subnets",
      { virtual_network: {} },
      "spec.virtual_network: VirtualNetwork reference must specify id or name",
    ],
    [
      "security_groups",
      rule({}),
      "spec.ingress[0].security_group: SecurityGroup reference must specify id or name",
    ],
    [
      "security_groups",
      rule({ name: "nope" }),
      'spec.ingress[0].security_group: SecurityGroup "nope" not found in this project',
    ],
    [
      "nat_gateways",
      { virtual_network: "shop", external_ip: {} },
      "spec.external_ip: ExternalIP reference must specify id or name",
    ],
    [
      "external_ip_attachments",
      {
        external_ip: "nope",
        cluster: { project: "x" },
        target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
      },
      "spec.cluster: Cluster reference must specify id or name",
    ],
  ])("is said of %s with %j", async (kind, spec, said) => {
    expect(await faultsOf(kind, spec)).toContain(said);
  });
});

it("says of an endpoint that there is none just that", { tags: "smoke" }, async () => {
  const spec = { external_ip: "nope", cluster: "nope", target_endpoint: "API" };
  const faults = await faultsOf("external_ip_attachments", spec);
  expect(faults.filter((fault) => fault.startsWith("spec.target_endpoint"))).toEqual([
    'spec.target_endpoint: must be one of "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API"|"EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS"',
  ]);
});

it("says of numbers and lists what they may be", async () => {
  const rule = { protocol: "PROTOCOL_TCP", ipv4_cidr: "0.0.0.0/0" };
  const spec = {
    virtual_network: "shop",
    ingress: [{ ...rule, port_from: 0, port_to: 65_536 }],
    egress: Array(51).fill(rule),
  };
  expect(await faultsOf("security_groups", spec)).toEqual([
    "spec.egress: must have <=50 items",
    "spec.ingress[0].port_from: must be >=1",
    "spec.ingress[0].port_to: must be <=65535",
  ]);
});
