import { execFile } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { getJson } from "../../../local/kubeconfig-client.ts";
import { seedZone } from "../../../sim/seed.ts";
import { operationIn, until } from "../../support/dev-process.ts";
import { runBlocks, runnableOf } from "../../support/document-commands.ts";
import type { Wire } from "../../support/site.ts";
import { addressesOf, cabledPorts } from "../neutron/ports.ts";
import { type SlipwayAtSite, slipwayAt } from "./slipway.ts";
import { RealSystems } from "./systems.ts";

/**
 * One cluster's network and storage at a site of real systems, from nothing to nothing: Neutron, Kea, PowerDNS and Ceph
 * at once, such as the scripts of test/live start. An operator's document is followed, and the systems themselves are
 * asked what they have.
 */
describe("one cluster at a real Neutron, Kea, PowerDNS and Ceph", () => {
  const systems = RealSystems.ofEnvironment();
  if (!systems) {
    it.skip("skipped: not all four are there (npm run test:live -- site)");
    return;
  }
  let slipway: SlipwayAtSite;
  let before: Awaited<ReturnType<RealSystems["everything"]>>;
  let id: string;

  beforeAll(async () => {
    await systems.prepare();
    before = await systems.everything();
    slipway = await slipwayAt(systems);
  });
  afterAll(async () => {
    await slipway?.stop();
    await systems.clear();
  });

  // Each test goes on where the one before has ended.
  let hasFailed = false;
  beforeEach(({ skip }) => skip(hasFailed, "one before it has failed"));
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });

  const cluster = async (): Promise<Wire> => (await slipway.api("GET", `clusters/${id}`)).body;
  const kubeconfig = async () => (await slipway.api("GET", `clusters/${id}/kubeconfig`)).body;
  const scale = async (size: number) => {
    const spec = { node_sets: { workers: { size } } };
    const { headers } = await slipway.api("PATCH", `clusters/${id}`, { spec });
    await slipway.succeeded(operationIn(headers));
  };
  /** The NICs of the cluster's hosts, each with its switch port. */
  const nics = async (): Promise<string[]> => {
    const { items } = (await slipway.admin("GET", "hosts")).body;
    const hosts = items.filter(({ status }: Wire) => status.owner?.id === id);
    return hosts
      .flatMap(({ spec }: Wire) => spec.nics)
      .map((nic: Wire) => `${nic.mac} ${nic.switch} ${nic.port}`)
      .sort();
  };
  /** Each of its NICs is in its network at the port of its switch, with the address that Kea has for it. */
  const expectAttached = async (count: number) => {
    const ports = await cabledPorts(systems.cloud);
    expect(ports.map((one) => `${one.mac} ${one.switch} ${one.port}`).sort()).toEqual(await nics());
    expect(ports).toHaveLength(count);
    const addresses = ports.map(({ mac, address }) => `${mac} ${address}`).sort();
    const { subnets, leases } = await systems.kea.everything();
    const reserved = subnets.flatMap(({ reservations }) => reservations);
    expect(reserved.map((one) => `${one["hw-address"]} ${one["ip-address"]}`).sort()).toEqual(
      addresses,
    );
    expect(leases.sort()).toEqual(ports.map(({ address }) => address).sort());
  };

  it("is made by the commands of docs/first-cluster/redfish.md, whose checks are green", async () => {
    const commands = runnableOf("docs/first-cluster/redfish.md").slice(0, -1);
    const { status, stdout, stderr, all } = await runBlocks(commands, slipway.data);
    const hubs = JSON.stringify((await slipway.admin("GET", "hubs")).body);
    expect(status, [all, hubs, slipway.lastWords()].join("\n")).toBe(0);
    for (const [system, words] of [
      ["fabric", `accepts the credentials and has the network ${systems.cloud.externalNetwork}`],
      ["dhcp", "accepts the credentials and has the hook libraries"],
      ["dns", `grants access to the zone ${seedZone}`],
      ["dns", `${systems.nameServer} answer for ${seedZone}`],
      ["storage", `grants access to the pool ${systems.ceph.pool}`],
    ])
      expect(stderr).toMatch(new RegExp(`^ok +${system}: ${words}`, "m"));
    expect(stdout).toMatch(/^4 in 10\.64\.\d+\.0\/24$/m);
    const { items } = (await slipway.api("GET", "clusters")).body;
    id = items[0].id;
    expect((await cluster()).status.state).toBe("CLUSTER_STATE_READY");
  });

  it("is listed by each of them, and by no simulated system", async () => {
    const found = await systems.everything();
    const counts = Object.entries(found.neutron).map(([collection, ids]) => [
      collection,
      ids.length - (before.neutron[collection]?.length ?? 0),
    ]);
    expect(Object.fromEntries(counts)).toMatchObject({
      networks: 1,
      subnets: 1,
      routers: 1,
      floatingips: 2,
    });
    await expectAttached(4);
    expect(found.ceph.namespaces).toEqual([`slipway-tenant-a-${id}`]);
    expect(found.ceph.users).toContainEqual({
      entity: `client.slipway-tenant-a-${id}`,
      caps: expect.objectContaining({
        osd: `profile rbd pool=${systems.ceph.pool} namespace=slipway-tenant-a-${id}`,
      }),
    });
    const simulated = (await slipway.ledger()).filter(({ system }) =>
      ["fabric", "dhcp", "dns", "storage"].includes(system),
    );
    expect(simulated.filter(({ owner }) => owner !== null)).toEqual([]);
  });

  it("has names that lead over DNS and floating IPs to its addresses", async () => {
    const resolver = new Resolver();
    resolver.setServers([systems.nameServer]);
    const behind = await addressesOf(systems.cloud);
    const [subnet] = (await systems.kea.everything()).subnets;
    const inside = (last: number) => subnet?.subnet.replace(/0\/24$/, String(last));
    const host = new URL((await cluster()).status.api_url).hostname;
    for (const [name, address] of [
      [host, inside(2)],
      [host.replace(/^api\./, "console.apps."), inside(3)],
    ] as const) {
      const [outside = ""] = await resolver.resolve4(name);
      expect([outside, behind[outside]]).toEqual([
        expect.stringMatching(/^203\.0\.113\./),
        address,
      ]);
    }
    expect(await resolver.resolve4(host.replace(/^api\./, "api-int."))).toEqual([inside(2)]);
  });

  it("has hosts that tell their hub the addresses that Kea has leased them", async () => {
    const hub = slipway.dev.hubs.find((one) => one.id === "hub-a");
    const path = "/apis/agent-install.openshift.io/v1beta1/namespaces/hardware-inventory/agents";
    const { items } = agentsSchema.parse(
      await getJson(readFileSync(hub?.kubeconfig ?? "", "utf8"), path),
    );
    const told = items
      .flatMap(({ status }) => status.inventory.interfaces)
      .flatMap(({ ipV4Addresses }) => ipV4Addresses)
      .filter((address) => address.startsWith("10.64."));
    const { leases } = await systems.kea.everything();
    expect(told.sort()).toEqual(leases.map((address) => `${address}/24`).sort());
  });

  it("reaches its own storage with what it was given, and nobody else's", async () => {
    const path = "/api/v1/namespaces/ceph-csi-rbd/secrets/csi-rbd-secret";
    const { data } = secretSchema.parse(await getJson(await kubeconfig(), path));
    const [user, key] = [data.userID, data.userKey].map((text) =>
      Buffer.from(text, "base64").toString(),
    );
    const rbd = rbdAs(user ?? "", key ?? "");
    const own = `${systems.ceph.pool}/${user}`;
    await rbd("create", "--size", "4M", "--image-feature", "layering", `${own}/volume`);
    expect(await rbd("ls", own)).toBe("volume\n");
    await expect(rbd("ls", systems.ceph.pool)).rejects.toThrow("Operation not permitted");
  });

  it("gets a node more, and gives it back", async () => {
    await scale(3);
    await expectAttached(6);
    await scale(2);
    await expectAttached(4);
  });

  it("says so when one of them has lost what is its", async () => {
    const { hostname } = new URL((await cluster()).status.api_url);
    await systems.removeRecords(hostname, "A");
    let conditions: Wire;
    await until(
      async () => {
        ({ conditions } = (await cluster()).status);
        return conditions.some(({ reason }: Wire) => reason === "SiteDrifted");
      },
      "SiteDrifted",
      () => conditions,
    );
  });

  it("leaves each of them as it was, with its volumes", async () => {
    await slipway.remove(id);
    expect(await systems.everything()).toEqual(before);
  });

  it("leaves each of them as it was when an order is cancelled that waits for its storage", async () => {
    await systems.letStore(false);
    const { operation } = await slipway.order("cancelled", { node_sets: { workers: { size: 2 } } });
    let last: Wire;
    const comes = (what: string, is: () => boolean) =>
      until(
        async () => {
          last = (await slipway.operation(operation)).status;
          return is();
        },
        what,
        () => last,
      );
    const waits = (step: string) =>
      last.waiting?.some(
        (one: Wire) => one.step === step && one.message.includes("our user lacks a permission"),
      );
    const hasNetwork = () =>
      last.steps.some(
        ({ name, state }: Wire) => name === "CreateLayer2Network" && state === "SUCCEEDED",
      );
    await comes("the wait for storage", () => waits("AllocateStorage") && hasNetwork());
    expect(await systems.everything()).not.toEqual(before);
    await slipway.api("POST", `operations/${operation}/cancel`);
    await comes("the wait of its undo", () => waits("Undo AllocateStorage"));
    await systems.letStore(true);
    expect((await slipway.ended(operation)).status.state).toBe("OPERATION_STATE_CANCELLED");
    expect(await systems.everything()).toEqual(before);
  });
});

const agentsSchema = z.object({
  items: z.array(
    z.object({
      status: z.object({
        inventory: z.object({
          interfaces: z.array(z.object({ ipV4Addresses: z.array(z.string()) })),
        }),
      }),
    }),
  ),
});
const secretSchema = z.object({ data: z.object({ userID: z.string(), userKey: z.string() }) });

/** The program `rbd` as a user of Ceph's. */
function rbdAs(user: string, key: string): (...words: string[]) => Promise<string> {
  const program = z.string().parse(process.env.CEPH_RBD);
  const keyring = `${user}.keyring`;
  writeFileSync(join(dirname(program), keyring), `[client.${user}]\n\tkey = ${key}\n`);
  return async (...words) => {
    const access = ["--id", user, "--keyring", `/mnt/${keyring}`];
    return (await promisify(execFile)(program, [...access, ...words])).stdout;
  };
}
