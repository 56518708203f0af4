import { expect, it } from "vitest";
import { networkPlan, refuseTooMany } from "../../../core/at-site/network.ts";
import { poolOf } from "../../../core/at-site/pools.ts";
import { siteSpecSchema } from "../../../core/resources/site/model.ts";

const network = {
  vlans: { first: 100, last: 119 },
  prefixes: { cidr: "10.64.0.9/12", length: 26 },
  floating_ips: { first: "203.0.113.250", last: "203.0.114.5" },
  dns_servers: ["192.0.2.53"],
  rest_minutes: 10,
};

it.each([
  [0, "10.64.0.0/26", "10.64.0.1", "10.64.0.2", "10.64.0.3", "10.64.0.4", "10.64.0.62"],
  [1, "10.64.0.64/26", "10.64.0.65", "10.64.0.66", "10.64.0.67", "10.64.0.68", "10.64.0.126"],
  [
    16_383,
    "10.79.255.192/26",
    "10.79.255.193",
    "10.79.255.194",
    "10.79.255.195",
    "10.79.255.196",
    "10.79.255.254",
  ],
])("prefix %i is %s", (number, prefix, gateway, api, ingress, first, last) => {
  expect(networkPlan(network, number, ["api", "ingress"])).toEqual({
    number,
    prefix,
    gateway,
    api,
    ingress,
    range: { first, last },
    dns_servers: ["192.0.2.53"],
  });
});

it("a network has an inside address for each use, and leaves the rest to hosts", () => {
  expect(networkPlan(network, 0, [])).toEqual({
    ...{ number: 0, prefix: "10.64.0.0/26", gateway: "10.64.0.1", dns_servers: ["192.0.2.53"] },
    range: { first: "10.64.0.2", last: "10.64.0.62" },
  });
  expect(networkPlan(network, 0, ["console"])).toMatchObject({
    console: "10.64.0.2",
    range: { first: "10.64.0.3", last: "10.64.0.62" },
  });
  expect(() => refuseTooMany(network, { nics: 60, uses: [] })).not.toThrow();
  expect(() => refuseTooMany(network, { nics: 60, uses: ["console"] })).toThrow("has 59");
});

it("pools have what their ranges hold, also across the end of a byte", () => {
  const sizes = (["vlans", "prefixes", "floating_ips"] as const).map(
    (use) => poolOf({ id: "s" }, network, use).size,
  );
  expect(sizes).toEqual([20, 16_384, 12]);
});

it("hosts with more NICs than a prefix has addresses are refused, with both numbers", () => {
  const uses = ["api", "ingress"];
  expect(() => refuseTooMany(network, { nics: 58, uses })).not.toThrow();
  expect(() => refuseTooMany(network, { nics: 59, uses })).toThrow(
    "59 addresses, and a cluster's network has 58",
  );
});

it.each([
  [{ vlans: { first: 200, last: 100 } }, "must not be below first"],
  [{ vlans: { first: 0, last: 100 } }, "Too small"],
  [{ prefixes: { cidr: "10.64.0.0/12", length: 8 } }, "must be at least the 12 of the whole"],
  [{ prefixes: { cidr: "10.64.0.0", length: 24 } }, "must be an IPv4 prefix, such as 10.64.0.0/12"],
  [{ floating_ips: { first: "203.0.113.9", last: "203.0.113.9" } }, "an order needs two"],
])("%j is refused", (change, message) => {
  const result = siteSpecSchema.shape.network.safeParse({ ...network, ...change });
  expect(result.error?.issues.map((issue) => issue.message).join()).toContain(message);
});

it.each<[string, string | undefined]>([
  ["100.64.0.0/16", "100.64.0.0/16"],
  ["100.64.4.0/22", "100.64.0.0/16"],
  ["100.64.0.0/10", "100.64.0.0/16"],
  ["100.88.0.0/20", "100.88.0.0/16"],
  ["100.65.0.0/16", undefined],
  ["100.96.0.0/11", undefined],
  ["10.128.0.0/14", undefined],
])("the prefixes of clusters are none that OVN-Kubernetes has in each of them: %s", (cidr, own) => {
  const { error } = siteSpecSchema.safeParse({
    network: { ...network, prefixes: { cidr, length: 26 } },
  });
  expect(error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual(
    own && [
      `network.prefixes.cidr must not overlap ${own}, which OVN-Kubernetes uses within each cluster`,
    ],
  );
});
