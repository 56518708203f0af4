import { minutes, seconds } from "../../../../../core/clock.ts";
import { Metal3Server } from "../../../../../core/ports/bare-metal/metal3/metal3.ts";
import { HubApi } from "../../../../../core/ports/kubernetes/api.ts";
import { profiles } from "../../../../../sim/bmc/profiles.ts";
import { faulty } from "../../../../../sim/faulty.ts";
import { hubKinds } from "../../../../../sim/kinds.ts";
import { kubernetesApi } from "../../../../../sim/kubernetes/api.ts";
import { KubeCluster } from "../../../../../sim/kubernetes/cluster.ts";
import { masters } from "../../../../../sim/kubernetes/rbac.ts";
import { metal3 } from "../../../../../sim/metal3/operator.ts";
import { ControlLoop } from "../../../../../sim/operators/control-loop.ts";
import { seeded } from "../../../../support/random.ts";
import type { BareMetalFixture, DrivesFixture } from "../fixture.ts";
import { redfishFixture } from "../redfish/fixture.ts";

const place = { namespace: "servers", name: "rack-1-01" };
const system = `bmc.test/redfish/v1/Systems/${profiles.supermicro.system}`;

/**
 * A server that Metal3 manages on a simulated hub, registered and inspected, in virtual time. Slipway
 * reaches its controller too, if asked for.
 */
export async function metal3Fixture({ isReached = false } = {}) {
  const behind = redfishFixture("supermicro");
  const { clock, database, sim, faults } = behind;
  const cluster = new KubeCluster({
    ...{ database, name: "hub-1", kinds: hubKinds, clock, random: seeded(1) },
  });
  const { username, password } = sim.credential;
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } });
  cluster.create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: place.namespace, name: "rack-1-01-bmc" },
    data: { username: encoded(username), password: encoded(password) },
  });
  cluster.create({
    apiVersion: "metal3.io/v1alpha1",
    kind: "BareMetalHost",
    metadata: place,
    spec: {
      online: false,
      bootMACAddress: behind.macs[0] ?? "",
      bmc: {
        address: `redfish-virtualmedia://${system}`,
        credentialsName: "rack-1-01-bmc",
      },
    },
  });
  const loop = new ControlLoop(cluster, [metal3({ cluster, ...sim.forMetal3 })]);
  loop.start();
  await clock.advance(minutes(10));
  const api = kubernetesApi(cluster, {
    authenticate: (token) =>
      token === "the-token" ? { name: "slipway", groups: [masters] } : undefined,
  });
  const take = (operation: string) => faults.take("bmc", operation);
  const handler = faulty(api, { take, clock, wall: clock });
  const sent: { method: string; body: unknown }[] = [];
  const hub = (token: string) =>
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
    });
  const adapter = (token = "the-token", host = "host-1", reaches = isReached) =>
    new Metal3Server({
      ...{ api: hub(token), at: place, host },
      ...(reaches && { controller: async (address: string) => behind.adapter({ address }) }),
    });
  const fixture = {
    ...behind,
    server: adapter(),
    stranger: adapter("a-wrong-token"),
    power: "PATCH /apis/metal3.io/",
    secrets: ["the-token", "a-wrong-token", password],
    sources: ["media", "disk"],
    bootsOnce: false,
  } satisfies BareMetalFixture;
  return {
    ...fixture,
    adapter,
    behind,
    cluster,
    clock,
    sent,
    object: () => cluster.get("BareMetalHost", place.namespace, place.name),
    /** Changes the object as somebody else does. */
    change: (spec: object, annotations: Record<string, string> = {}) => {
      const object = cluster.get("BareMetalHost", place.namespace, place.name);
      if (!object) throw new Error("there is no BareMetalHost");
      const metadata = { ...object.metadata, annotations };
      cluster.update({ ...object, metadata, spec: Object.assign({}, object.spec, spec) });
    },
  };
}

type Metal3Fixture = Awaited<ReturnType<typeof metal3Fixture>>;

/** One that Metal3 has let go of, so that its drives can be erased. */
export async function detachedFixture(): Promise<
  DrivesFixture & Pick<Metal3Fixture, "object" | "change">
> {
  const at = await metal3Fixture({ isReached: true });
  const server = at.adapter();
  for (let left = 5; left > 0; left -= 1) {
    if (await at.run(server.drives.list().catch(() => undefined))) break;
    await at.pass(seconds(20));
  }
  const { object, change } = at;
  return { ...at.behind, object, change, server, hardware: { memory: 512 * 2 ** 30 } };
}
