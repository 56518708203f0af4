import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../core/clock.ts";
import { Exhausted } from "../../core/ports/fabric/fabric.ts";
import { seedWorld } from "../../sim/seed.ts";
import { domain, NamedOrder, providerOf } from "../support/sim-site.ts";
import { type TestWorld, testWorld } from "../support/sim-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let simulated: TestWorld;
const site = () => simulated.world.site;

beforeEach(async () => {
  simulated = await testWorld();
});

afterEach(async () => {
  await simulated.world.stop();
  simulated.database.close();
});

it.each(["http://fabric.sim", "http://127.0.0.1:4711", "https://keystone.example.com"])(
  "leads from Keystone to Neutron on the same origin: %s",
  async (origin) => {
    const { id, secret } = site().fabric.keystone.credential;
    const identity = {
      methods: ["application_credential"],
      application_credential: { id, secret },
    };
    const { fabric } = site().handlers;
    const body = JSON.stringify({ auth: { identity } });
    const asJson = { "content-type": "application/json" };
    const login = new Request(`${origin}/v3/auth/tokens`, {
      method: "POST",
      headers: asJson,
      body,
    });
    const issued = await fabric(login);
    const { token } = (await issued.json()) as {
      token: { catalog: { type: string; endpoints: { url: string }[] }[] };
    };
    const url = token.catalog.find(({ type }) => type === "network")?.endpoints[0]?.url;
    expect(url).toBe(origin);
    const headers = { "x-auth-token": issued.headers.get("x-subject-token") ?? "" };
    const networks = await fabric(new Request(`${url}/v2.0/networks`, { headers }));
    expect(networks.status).toBe(200);
  },
);

it("answers where its URLs say, and nothing else does", async () => {
  const { fetch } = simulated.world;
  const { urls } = site();
  const statuses = await Promise.all([
    fetch(`${urls.fabric}/v2.0/networks`),
    fetch(`${urls.dns}/api/v1/servers/localhost/zones`),
    fetch(`${urls.storage}/api/monitor`),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
  await expect(fetch("http://other.sim/")).rejects.toThrow("fetch failed");
  const given = AbortSignal.abort(new Error("given up"));
  await expect(fetch(urls.dns, { signal: given })).rejects.toThrow("given up");
});

it("has the zone and the pool of the seed once, however often it is seeded", async () => {
  await seedWorld(simulated.world);
  expect(
    site()
      .dns.zones.list()
      .map(({ name }) => name),
  ).toEqual(["example.com."]);
  const { owner } = new NamedOrder(simulated);
  const { storage } = providerOf(simulated);
  await simulated.clock.until(storage.ensure(owner));
  expect(await simulated.clock.until(storage.observe(owner))).toMatchObject({
    state: "done",
  });
});

it.each(["fabric", "dns", "storage"] as const)(
  "has the faults that are asked of %s",
  async (on) => {
    simulated.world.faults.add({ target: on, fault: "error", status: 503 });
    const ask = async () => (await simulated.world.fetch(`${site().urls[on]}/`)).status;
    expect([await ask(), await ask()]).toEqual([503, on === "fabric" ? 300 : 404]);
  },
);

it("answers for its zone what its servers do, a moment after the change, and tells of it", async () => {
  const order = new NamedOrder(simulated);
  let told = 0;
  const end = site().watch(() => {
    told += 1;
  });
  await simulated.clock.advance(minutes(1));
  const before = told;
  await order.names({ api: "203.0.113.20" });
  expect(await site().askAuthority(`api.${domain}`, "A")).toEqual([[]]);
  expect(told).toBe(before);
  await simulated.clock.advance(seconds(2));
  expect(told).toBe(before + 1);
  expect(await site().askAuthority(`api.${domain}`, "A")).toEqual([["203.0.113.20"]]);
  end();
  await order.names({ api: "203.0.113.21" });
  await simulated.clock.advance(seconds(2));
  expect(told).toBe(before + 1);
});

it("can be made so small that it runs out", async () => {
  const small = await testWorld({
    site: {
      vlans: { first: 120, last: 120 },
      external: {
        cidr: "198.51.100.0/29",
        gateway: "198.51.100.1",
        first: "198.51.100.2",
        last: "198.51.100.3",
      },
    },
  });
  const order = new NamedOrder(small);
  await order.network();
  // The router has the other address.
  expect(await order.floatingIp("api")).toMatch(/^198\.51\.100\.[23]$/);
  await expect(order.floatingIp("ingress")).rejects.toBeInstanceOf(Exhausted);
  await small.world.stop();
  small.database.close();
});

it("keeps its credentials and its networks when the world is opened again", async () => {
  const known = () => [
    site().fabric.keystone.credential,
    site().fabric.externalNetwork,
    site().dns.key,
    site().storage.password,
    simulated.world.ledger(),
  ];
  const order = new NamedOrder(simulated);
  await order.network();
  await order.attach();
  await order.names({ api: await order.floatingIp("api") });
  await simulated.clock.advance(minutes(1));
  const before = known();
  const { database } = simulated;
  const clock = new VirtualClock(simulated.clock.now());
  await simulated.world.stop();
  simulated = { ...(await testWorld({ database, clock })), clock };
  expect(known()).toEqual(before);
});
