import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../core/clock.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { hostId } from "../../sim/host.ts";
import { addressesOf, askFabric, NamedOrder } from "../support/sim-site.ts";
import {
  advanceUntil,
  condition,
  deleteAll,
  hostedCluster,
  pool,
  stateOf,
  type TestWorld,
  testWorld,
  agents as theAgents,
} from "../support/sim-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let simulated: TestWorld;
let order: NamedOrder;

beforeEach(async () => {
  simulated = await testWorld();
  order = new NamedOrder(simulated);
});

afterEach(async () => {
  await simulated.world.stop();
  simulated.database.close();
});

const agentsOf = () => order.deployment.nodeSets[0]?.agents ?? [];
const first = () => agentsOf()[0] ?? "";
const agent = (name = first()) => simulated.cluster.get("Agent", agentNamespace, name);
const connected = (name = first()) => condition(agent(name), "Connected").status;
const states = () =>
  theAgents(simulated.cluster)
    .filter(({ metadata }) => agentsOf().includes(metadata.name))
    .map(stateOf);
const hub = () => simulated.cluster;

it("an agent gives up its discovery address for the one that its network's DHCP gives", async () => {
  const discovery = addressesOf(hub(), first());
  expect(discovery).toEqual([[expect.stringMatching(/^10\.1\..*\/16$/)], []]);
  await order.network();
  await order.attach(first());
  await simulated.clock.advance(minutes(2));
  expect(addressesOf(hub(), first())).toEqual([[expect.stringMatching(/^10\.0\.3\.\d+\/26$/)], []]);
  expect(connected()).toBe("True");
  // The other host of the order was left where it is.
  expect(addressesOf(hub(), agentsOf()[1] ?? "")[0]?.[0]).toMatch(/^10\.1\..*\/16$/);

  await order.detach();
  await simulated.clock.advance(minutes(2));
  expect(addressesOf(hub(), first())).toEqual(discovery);
});

it("what an agent has is known 30 seconds later, not before", async () => {
  await order.network();
  await order.attach(first());
  const [link] = order.links;
  const vlan = () => simulated.world.site.fabric.vlanOf(link?.switch ?? "", link?.port ?? "");
  while (vlan() === undefined) await simulated.clock.advance(seconds(1));
  await simulated.clock.advance(seconds(28));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/16$/);
  await simulated.clock.advance(seconds(2));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/26$/);
});

it("a world that is opened again tells what its hosts had come to meanwhile", async () => {
  await order.network();
  await order.attach(first());
  await simulated.clock.advance(seconds(20));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/16$/);
  const { database } = simulated;
  const clock = new VirtualClock(simulated.clock.now());
  await simulated.world.stop();
  simulated = { ...(await testWorld({ database, clock })), clock };
  await clock.advance(minutes(1));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/26$/);
  await new NamedOrder(simulated, order.deployment).detach();
  await clock.advance(minutes(1));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/16$/);
});

it("without DHCP an agent has no address, and is not connected until there is one", async () => {
  await order.network();
  const [subnet] = simulated.world.site.fabric.state.records.all("subnet").slice(-1);
  const dhcp = (isOn: boolean) =>
    askFabric(simulated.world, "PUT", `/v2.0/subnets/${subnet?.id}`, {
      subnet: { enable_dhcp: isOn },
    });
  expect((await dhcp(false)).status).toBe(200);
  await order.attach();
  await simulated.clock.advance(minutes(2));
  expect(addressesOf(hub(), first())).toEqual([[], []]);
  expect(condition(agent(), "Connected")).toMatchObject({
    status: "False",
    reason: "AgentIsDisconnected",
    message:
      "The agent has not contacted the installation service in some time, user action should be taken",
  });
  await dhcp(true);
  await simulated.clock.advance(minutes(1));
  expect(connected()).toBe("True");
});

const router = () => simulated.world.site.fabric.state.records.all("router")[0]?.id;
const gateway = (network: string | null) =>
  askFabric(simulated.world, "PUT", `/v2.0/routers/${router()}`, {
    router: { external_gateway_info: network && { network_id: network } },
  });

it("behind a network that leads nowhere no agent is taken, and one that is stays as it is", async () => {
  await order.network();
  await gateway(null);
  await order.attach();
  await simulated.clock.advance(minutes(2));
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/26$/);
  expect(connected()).toBe("False");

  order.apply();
  const machines = () => condition(pool(hub(), order.deployment), "AllMachinesReady").message;
  await advanceUntil(simulated.clock, () => machines()?.includes("NoSuitableAgents") ?? false);
  await simulated.clock.advance(minutes(10));
  expect(states()).toEqual(["known-unbound", "known-unbound"]);

  await gateway(simulated.world.site.fabric.externalNetwork);
  await advanceUntil(simulated.clock, () => states().includes("installing"), minutes(5));
  await gateway(null);
  await advanceUntil(simulated.clock, () => connected() === "False", minutes(1));
  const then = states();
  await simulated.clock.advance(minutes(10));
  expect(states()).toEqual(then);
  await gateway(simulated.world.site.fabric.externalNetwork);
  await advanceUntil(simulated.clock, () => states().every((state) => state?.includes("progress")));
});

it("a machine that boots in a network without a way out reports once it has one", async () => {
  await order.network();
  const nic = { name: "eno1", mac: "52:54:00:ff:00:01", switch: "leaf-a1", port: "Ethernet1/40" };
  const host = { name: "late", hub: "hub-a", host_type: "fc430", nics: [nic] };
  const bmc = { address: "redfish-virtualmedia://192.168.9.9/redfish/v1/Systems/1" };
  simulated.world.addHost({ ...host, bmc });
  const late = new NamedOrder(simulated, {
    ...order.deployment,
    nodeSets: order.deployment.nodeSets.map((one) => ({ ...one, agents: [hostId("late")] })),
  });
  await late.attach();
  await gateway(null);
  await simulated.clock.advance(minutes(10));
  expect(agent(hostId("late"))).toBeUndefined();
  await gateway(simulated.world.site.fabric.externalNetwork);
  await simulated.clock.advance(minutes(1));
  expect(addressesOf(hub(), hostId("late"))[0]?.[0]).toMatch(/^10\.0\.3\..*\/26$/);
});

it("agents come back to discovery when their cluster is gone and they are detached", async () => {
  await order.network();
  await order.attach();
  await order.names({ api: await order.floatingIp("api") });
  order.apply();
  await advanceUntil(simulated.clock, () => states().every((state) => state?.startsWith("added")));
  await deleteAll(simulated, order.deployment);
  expect(hostedCluster(hub(), order.deployment)).toBeUndefined();
  expect(addressesOf(hub(), first())[0]?.[0]).toMatch(/\/26$/);
  await order.detach();
  await simulated.clock.advance(minutes(1));
  expect(agentsOf().map((name) => addressesOf(hub(), name)[0]?.[0])).toEqual(
    agentsOf().map(() => expect.stringMatching(/^10\.1\..*\/16$/)),
  );
  expect(states()).toEqual(["known-unbound", "known-unbound"]);
});
