import { beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../../core/clock.ts";
import { defaultGroupOf, type InNetwork } from "../../../../../core/ports/network/network.ts";
import { memberLabel } from "../../../../../core/ports/network/ovn-kubernetes/objects.ts";
import type { Owner } from "../../../../../core/ports/owner.ts";
import { loadSchemas, violations } from "../../../../support/structural-schema.ts";
import { group, network, networksContract, plan, prefixes, rules, subnet } from "../contract.ts";
import { hubFixture } from "./fixture.ts";

describe("tenants' networks in OVN-Kubernetes", () => {
  networksContract(async () => hubFixture());
});

let at: ReturnType<typeof hubFixture>;
beforeEach(() => {
  at = hubFixture();
});

const defaultGroup = defaultGroupOf(network);
const namespaceOf = ({ name }: Pick<Owner, "name">) => `slipway-${name}`;

async function made(of = network, part: InNetwork = subnet): Promise<void> {
  await at.run(at.networks.ensureNetwork(of, prefixes));
  await at.run(at.networks.ensureSubnet(part, plan));
  await at.pass(seconds(10));
}

/** A pod in a network with these groups; answers its NIC. */
async function pod(name: string, groups: Owner[], of = network): Promise<string> {
  const namespace = namespaceOf(of);
  at.cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: Object.fromEntries(groups.map((each) => [memberLabel(each), ""])),
    },
    spec: { containers: [{ name: "machine" }] },
  });
  await at.pass(seconds(1));
  return `${namespace}/${name}`;
}

const arrives = (from: string, to: string, protocol: "tcp" | "udp" | "icmp", port: number) =>
  at.packets.reaches({ nic: from }, { nic: to }, protocol, port).arrives;

describe("packets on a hub", () => {
  it("go where the groups of both ends let them, and nowhere else", async () => {
    await made();
    await at.run(at.networks.ensureGroup(group, rules(1, 443)));
    const [one, two] = [await pod("one", [defaultGroup]), await pod("two", [defaultGroup])];
    const [web, other] = [await pod("web", [group]), await pod("bare", [])];
    expect(arrives(one, two, "icmp", 8)).toBe(true);
    expect(arrives(one, web, "tcp", 443)).toBe(true);
    expect(arrives(one, web, "tcp", 80)).toBe(false);
    expect(arrives(one, web, "udp", 443)).toBe(false);
    // The group lets nothing out.
    expect(arrives(web, one, "tcp", 443)).toBe(false);
    expect(arrives(one, other, "tcp", 443)).toBe(false);
    expect(arrives(other, one, "tcp", 443)).toBe(false);
    // A changed rule applies to what is there.
    await at.run(at.networks.ensureGroup(group, rules(2, 80)));
    expect(arrives(one, web, "tcp", 443)).toBe(false);
    expect(arrives(one, web, "tcp", 80)).toBe(true);
  });

  it("stay in their network, also where another one has the same prefixes", async () => {
    await made();
    const another = { ...network, id: "0197b2d0-1111-7000-8000-000000000011", name: "zyxwvutsrq" };
    await made(another, { ...subnet, id: "another", name: "yxwvutsrqp", network: another });
    const [ours, theirs] = [
      await pod("one", [defaultGroup]),
      await pod("one", [defaultGroupOf(another)], another),
    ];
    expect(arrives(ours, theirs, "tcp", 443)).toBe(false);
    const outside = at.packets.reaches({ nic: ours }, { address: "198.51.100.7" }, "tcp", 443);
    expect(outside).toMatchObject({ arrives: false, stopped: "egress group" });
  });
});

describe("what is in the way of a removal", () => {
  it("is told for a group that pods have, for a subnet in which pods are, and for a network with pods", async () => {
    await made();
    await at.run(at.networks.ensureGroup(group, rules(1, 443)));
    await pod("web", [group]);
    expect(await at.run(at.networks.removeGroup(group))).toEqual({
      state: "pending",
      message: "pods have it: web",
    });
    await at.run(at.networks.removeSubnet(subnet));
    await at.pass(seconds(10));
    expect(await at.run(at.networks.removeSubnet(subnet))).toMatchObject({
      state: "pending",
      message: expect.stringContaining(
        "network in use by the following pods: [slipway-mnopqrstuv/web]",
      ),
    });
    expect(await at.run(at.networks.removeNetwork(network))).toMatchObject({ state: "pending" });
    at.cluster.delete("Pod", namespaceOf(network), "web");
    await at.pass(seconds(10));
    expect(await at.run(at.networks.removeGroup(group))).toEqual({ state: "absent" });
    expect(await at.run(at.networks.removeSubnet(subnet))).toEqual({ state: "absent" });
    expect(await at.run(at.networks.removeNetwork(network))).toMatchObject({ state: "pending" });
    await at.pass(seconds(10));
    expect(await at.run(at.networks.removeNetwork(network))).toEqual({ state: "absent" });
    expect(at.ours()).toEqual([]);
  });

  it("leaves alone what is somebody else's", async () => {
    const metadata = { name: namespaceOf(network), labels: { "slipway.dev/cluster": "c-1" } };
    at.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata });
    await expect(at.run(at.networks.ensureNetwork(network, prefixes))).rejects.toThrow(
      "the namespace slipway-mnopqrstuv has another owner",
    );
    expect(await at.run(at.networks.removeNetwork(network))).toEqual({ state: "absent" });
    expect(at.cluster.get("Namespace", undefined, metadata.name)).toBeDefined();
  });
});

it("refuses a segment whose prefixes are others: nothing of it can be changed", async () => {
  await made();
  const [prefix] = plan.prefixes;
  if (!prefix) throw new Error("the plan has a prefix");
  const other = { ...plan, prefixes: [{ ...prefix, cidr: "10.20.2.0/24" }] };
  await expect(at.run(at.networks.ensureSubnet(subnet, other))).rejects.toThrow(
    "has other prefixes or another namespace",
  );
});

it.each([
  ["10.129.0.0/16", 'user defined subnet "10.129.0.0/16" overlaps cluster subnet "10.128.0.0/14"'],
  ["172.16.0.0/12", 'user defined subnet "172.16.0.0/12" overlaps service subnet "172.30.0.0/16"'],
  [
    "100.64.9.0/24",
    'user defined subnet "100.64.9.0/24" overlaps built-in join subnet "100.64.0.0/16"',
  ],
  ["fd98::/48", 'user defined subnet "fd98::/48" overlaps built-in join subnet "fd98::/64"'],
  ["fd69::/64", 'user defined subnet "fd69::/64" overlaps masquerade subnet "fd69::/112"'],
  [
    "100.65.0.0/20",
    'user defined join subnet "100.65.0.0/16" overlaps user defined subnet "100.65.0.0/20"',
  ],
])("says that OVN-Kubernetes makes no segment with the prefix %s, and why", async (cidr, why) => {
  await at.run(at.networks.ensureNetwork(network, [cidr]));
  const prefix = { cidr, gateway: "", dhcp: { first: "", last: "" } };
  const asked = { prefixes: [prefix], dnsServers: [] };
  expect(await at.run(at.networks.ensureSubnet(subnet, asked))).toMatchObject({
    state: "pending",
  });
  await at.pass(seconds(10));
  expect(await at.run(at.networks.ensureSubnet(subnet, asked))).toEqual({
    state: "failed",
    message: `OVN-Kubernetes does not make it: ${why}`,
  });
  await at.run(at.networks.removeSubnet(subnet));
  await at.pass(seconds(10));
  expect(await at.run(at.networks.removeSubnet(subnet))).toEqual({ state: "absent" });
});

it("says that a policy does not apply which somebody else has changed, once it is written again", async () => {
  await made();
  await at.run(at.networks.ensureGroup(group, rules(1, 443)));
  at.cluster.patch("NetworkPolicy", namespaceOf(network), namespaceOf(group), (policy) => ({
    ...policy,
    spec: { podSelector: {}, policyTypes: ["Ingress"] },
  }));
  expect(await at.run(at.networks.ensureGroup(group, rules(1, 443)))).toEqual({
    state: "applied",
    version: 1,
  });
  const policy = at.cluster.get("NetworkPolicy", namespaceOf(network), namespaceOf(group));
  expect(policy?.spec).toMatchObject({
    podSelector: { matchLabels: { [memberLabel(group)]: "" } },
    policyTypes: ["Ingress", "Egress"],
  });
});

const crds = loadSchemas();
if (crds.size === 0) console.log("skipped: CRD_DIR is not set");
it.skipIf(crds.size === 0)("applies segments as their definition wants them", async () => {
  await made();
  const schema = crds.get("k8s.ovn.org/v1/ClusterUserDefinedNetwork");
  const found = at.cluster.list("ClusterUserDefinedNetwork");
  expect(found).toHaveLength(1);
  expect(found.flatMap((each) => (schema ? violations(schema, each) : ["no definition"]))).toEqual(
    [],
  );
});
