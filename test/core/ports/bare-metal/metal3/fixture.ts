import { minutes } from "../../../../../core/clock.ts";
import { Metal3Server } from "../../../../../core/ports/bare-metal/metal3/metal3.ts";
import { HubApi } from "../../../../../core/ports/kubernetes/api.ts";
import { newMachine } from "../../../../../sim/bmc/machine.ts";
import { Machines } from "../../../../../sim/bmc/machines.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { faulty } from "../../../../../sim/faulty.ts";
import { hubKinds } from "../../../../../sim/kinds.ts";
import { kubernetesApi } from "../../../../../sim/kubernetes/api.ts";
import { KubeCluster } from "../../../../../sim/kubernetes/cluster.ts";
import { masters } from "../../../../../sim/kubernetes/rbac.ts";
import { bareMetalHostKind } from "../../../../../sim/metal3/kind.ts";
import { metal3 } from "../../../../../sim/metal3/operator.ts";
import { ControlLoop } from "../../../../../sim/operators/control-loop.ts";
import { seeded } from "../../../../support/random.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { BareMetalFixture } from "../fixture.ts";
import { startsOf } from "../starts.ts";

const id = "4c4c4544-0042-4b10-8051-b4c04f303133";
const macs = ["52:54:00:12:34:56", "52:54:00:12:34:57"];
const place = { namespace: "servers", name: "rack-1-01" };
const address = "redfish-virtualmedia://bmc.test/redfish/v1/Systems/1";

/** A server that Metal3 manages on a simulated hub, registered and inspected, in virtual time. */
export async function metal3Fixture() {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const machines = new Machines(database, clock);
  machines.put(newMachine({ id, controller: "bmc.test", vendor: "hpe", serial: "CN7016", macs }));
  const kinds = [...hubKinds, bareMetalHostKind];
  const random = seeded(1);
  const cluster = new KubeCluster({ database, name: "hub-1", kinds, clock, random });
  cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } });
  cluster.create({
    apiVersion: "metal3.io/v1alpha1",
    kind: "BareMetalHost",
    metadata: place,
    spec: {
      online: false,
      bootMACAddress: macs[0] ?? "",
      bmc: { address, credentialsName: "rack-1-01-bmc" },
    },
  });
  const machineOf = (of: string) => (of === address ? machines.get(id) : undefined);
  const loop = new ControlLoop(cluster, [metal3({ cluster, machines, machineOf })]);
  loop.start();
  await clock.advance(minutes(10));
  const api = kubernetesApi(cluster, {
    authenticate: (token) =>
      token === "the-token" ? { name: "slipway", groups: [masters] } : undefined,
  });
  const take = (operation: string) => faults.take("bmc", operation);
  const handler = faulty(api, { take, clock, wall: clock });
  const sent: { method: string; body: unknown }[] = [];
  const adapter = (token: string) =>
    new Metal3Server(
      new HubApi({
        connection: { server: "https://hub.test:6443", token },
        wall: clock,
        timeout: 10_000,
        fetch: async (input, init) => {
          const request = new Request(input, init);
          if (request.method !== "GET")
            sent.push({ method: request.method, body: await request.clone().json() });
          // Who gives up waiting gets no answer.
          const givenUp = new Promise<never>((_, reject) => {
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), {
              once: true,
            });
          });
          return Promise.race([handler(request), givenUp]);
        },
      }),
      place,
    );
  const fixture: BareMetalFixture = {
    server: adapter("the-token"),
    stranger: adapter("a-wrong-token"),
    faults,
    power: "PATCH /apis/metal3.io/",
    secrets: ["the-token", "a-wrong-token"],
    run: (call) => clock.until(call),
    pass: (ms) => clock.advance(ms),
    booted: () => machines.get(id)?.booted,
    starts: startsOf(machines),
    macs,
    sources: ["media", "disk"],
    bootsOnce: false,
    shown: (image) => image,
  };
  return {
    ...fixture,
    cluster,
    clock,
    sent,
    object: () => cluster.get("BareMetalHost", place.namespace, place.name),
  };
}
