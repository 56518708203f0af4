import { afterEach, beforeEach, expect, it } from "vitest";
import { seconds } from "../../../../core/clock.ts";
import type {
  GroupRules,
  InNetwork,
  NetworkSubnetPlan,
  Networks,
} from "../../../../core/ports/network/network.ts";
import type { Owner } from "../../../../core/ports/owner.ts";

/** What every adapter of the port of networks does. */

export interface NetworksFixture {
  networks: Networks;
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  pass(milliseconds: number): Promise<void>;
  /** Makes what a subnet stands on, where another port makes that. */
  prepare(subnet: InNetwork): Promise<void>;
  /** What is there of these owners, by their kinds. */
  owned(): string[] | Promise<string[]>;
  close(): Promise<void>;
}

export const network: Owner = {
  kind: "virtual_network",
  id: "0197b2d0-1111-7000-8000-000000000001",
  tenant: "tenant-a",
  name: "mnopqrstuv",
};
export const subnet: InNetwork = {
  ...network,
  kind: "subnet",
  id: "0197b2d0-1111-7000-8000-000000000002",
  name: "bcdefghijk",
  network,
};
export const group: InNetwork = {
  ...network,
  kind: "security_group",
  id: "0197b2d0-1111-7000-8000-000000000003",
  name: "cdefghijkl",
  network,
};
export const prefixes = ["10.20.0.0/16", "fd00:20::/48"];
export const plan: NetworkSubnetPlan = {
  prefixes: [
    {
      cidr: "10.20.1.0/24",
      gateway: "10.20.1.1",
      dhcp: { first: "10.20.1.2", last: "10.20.1.3" },
    },
  ],
  dnsServers: [],
};
const web = { direction: "ingress", family: "ipv4", protocol: "tcp" } as const;
export const rules = (version: number, port: number): GroupRules => ({
  version,
  rules: [
    { ...web, ports: { first: port, last: port }, remote: { cidr: "0.0.0.0/0" } },
    { ...web, protocol: "any", remote: { group } },
  ],
});

export function networksContract(make: () => Promise<NetworksFixture>): void {
  let at: NetworksFixture;
  beforeEach(async () => {
    at = await make();
  });
  afterEach(() => at.close());
  const run = <T>(call: Promise<T>) => at.run(call);

  /** Asks again until it is done, as a step does. */
  async function until<T extends { state: string }>(call: () => Promise<T>, state: string) {
    for (let n = 0; n < 30; n++) {
      const seen = await run(call());
      if (seen.state === state) return;
      await at.pass(seconds(2));
    }
    expect(await run(call())).toMatchObject({ state });
  }

  async function made(): Promise<void> {
    await until(() => at.networks.ensureNetwork(network, prefixes), "done");
    await at.prepare(subnet);
    await until(() => at.networks.ensureSubnet(subnet, plan), "done");
  }

  it("makes a network and a subnet, finds both again, and takes both away", async () => {
    await made();
    const there = await at.owned();
    await made();
    expect(await at.owned()).toEqual(there);
    await until(() => at.networks.removeSubnet(subnet), "absent");
    await until(() => at.networks.removeNetwork(network), "absent");
    expect((await at.owned()).filter((kind) => kind !== "subnet")).toEqual([]);
  });

  it("has a subnet wait for its network", async () => {
    await at.prepare(subnet);
    expect(await run(at.networks.ensureSubnet(subnet, plan))).toMatchObject({ state: "pending" });
  });

  it("keeps a network in which a subnet is", async () => {
    await made();
    expect(await run(at.networks.removeNetwork(network))).toMatchObject({
      state: "pending",
      message: expect.stringMatching(/./),
    });
    await until(() => at.networks.ensureSubnet(subnet, plan), "done");
  });

  it("tells of the version of a group's rules that applies, the same as often as it is asked", async () => {
    await until(() => at.networks.ensureNetwork(network, prefixes), "done");
    for (const [version, port] of [
      [1, 443],
      [1, 443],
      [2, 80],
    ] as const)
      expect(await run(at.networks.ensureGroup(group, rules(version, port)))).toEqual({
        state: "applied",
        version,
      });
    const there = await at.owned();
    expect(there).toContain("security_group");
    await until(() => at.networks.removeGroup(group), "absent");
    expect(await at.owned()).not.toContain("security_group");
  });

  it("takes away what is not there", async () => {
    expect(await run(at.networks.removeGroup(group))).toEqual({ state: "absent" });
    expect(await run(at.networks.removeSubnet(subnet))).toEqual({ state: "absent" });
    expect(await run(at.networks.removeNetwork(network))).toEqual({ state: "absent" });
  });
}
