import { beforeEach, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { adjustPool } from "../../../core/placement/reserve/adjust.ts";
import { createApp } from "../../../functions/api/app.ts";
import { type Api, catalogApi, type Person, people, priv, v1 } from "../../support/api.ts";
import { counting } from "../../support/counting-store.ts";
import { addHosts, addHub, hostsNamed, readyAgent } from "../../support/placement.ts";
import { type Waiting, waitingDeps } from "../../support/waiting.ts";

/** What there is to be ordered, before it is ordered. */

let api: Api;
let deps: Waiting;
const admin = (method: string, path: string, body?: unknown) =>
  api.ask("admin", method, `${priv}/${path}`, body);

beforeEach(async () => {
  deps = waitingDeps();
  api = await catalogApi(deps);
  const kubeconfig = JSON.stringify({
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  for (const [id, region, more] of [
    ["hub-1", "eu", {}],
    ["hub-2", "eu", {}],
    ["hub-3", "us", { tenants: ["tenant-b"] }],
  ] as const) {
    const spec = { region, capacity: 5, base_domain: "example.com", kubeconfig, ...more };
    await admin("POST", "hubs", { id, metadata: { name: id }, spec });
  }
  for (let n = 1; n <= 4; n++) {
    const nics = [{ name: "eth0", mac: `52:54:00:00:00:0${n}`, switch: "leaf-1", port: `${n}` }];
    const bmc = { address: `redfish://10.0.0.${n}/1` };
    const hub = n === 4 ? "hub-3" : n === 3 ? "hub-2" : "hub-1";
    const spec = { host_type: "small", hub, bmc, nics };
    await admin("POST", "hosts", { id: `h${n}`, metadata: { name: `h${n}` }, spec });
  }
});

/** As its hub's agent tells. */
async function discovered(id: string) {
  await changeObject(api.deps, "host", id, (host) => {
    const agent = readyAgent(host.spec.hub, id, host.event.time);
    return { ...host, status: { ...host.status, agent } };
  });
  await adjustPool(api.deps, id);
}

const availability = async (person: Person, query = "/small") => {
  await deps.relayed();
  const { body } = await api.ask(person, "GET", `${v1}/host_types${query}`);
  return (body.items?.[0] ?? body).status.availability;
};

it("counts hosts, and those that are free, by region", async () => {
  expect(await availability("ann")).toEqual([{ region: "eu", total: 3, free: 0 }]);
  for (const id of ["h1", "h3", "h4"]) await discovered(id);
  expect(await availability("ann")).toEqual([{ region: "eu", total: 3, free: 2 }]);
  const filter = "?filter=this.id=='small'";
  expect(await availability("ann", filter)).toEqual([{ region: "eu", total: 3, free: 2 }]);
  expect(await availability("bob")).toEqual([
    { region: "eu", total: 3, free: 2 },
    { region: "us", total: 1, free: 1 },
  ]);
  await admin("POST", "hosts/h1/maintain");
  expect(await availability("ann")).toEqual([{ region: "eu", total: 3, free: 1 }]);
  await admin("PATCH", "hosts/h3", { spec: { hub: "hub-1" } });
  expect(await availability("ann")).toEqual([{ region: "eu", total: 3, free: 0 }]);
  await admin("DELETE", "hosts/h1");
  await admin("PATCH", "hubs/hub-2", { spec: { cordoned: true } });
  expect(await availability("ann")).toEqual([{ region: "eu", total: 2, free: 0 }]);
});

it("costs as many reads among eighty hubs as among three, and so does the capacity", async () => {
  const { counted: store, calls } = counting(deps.store);
  const cost = async (person: "ann" | "admin", path: string) => {
    await deps.relayed();
    const { read } = calls;
    const principal = () => people[person];
    const app = createApp({ ...deps, store }, { profile: "slipway", principal });
    expect((await app.request(path)).status).toBe(200);
    return calls.read - read;
  };
  const costs = async () => [
    await cost("ann", `${v1}/host_types/small`),
    await cost("ann", `${v1}/host_types`),
    await cost("admin", `${priv}/host_types/small`),
    await cost("admin", `${priv}/capacity`),
  ];
  const fill = async (count: number) => {
    for (const id of hostsNamed(`some-${count}`, count)) {
      await addHub(deps, id);
      await addHosts(deps, id, "small", [`${id}-h`]);
    }
  };
  // All counters of the region are there, whose number is bounded.
  await fill(30);
  const few = await costs();
  await fill(50);
  expect(await costs()).toEqual(few);
});

it("may be sent back with the host type", async () => {
  const { body } = await admin("GET", "host_types/small");
  expect((await admin("PATCH", "host_types/small", body)).status).toBe(200);
});

it("is left out where OSAC's clients ask, and capabilities likewise", async () => {
  const osac = { Accept: "application/json;profile=osac" };
  const { body } = await api.ask("ann", "GET", `${v1}/host_types/small`, undefined, osac);
  expect(body).not.toHaveProperty("status");
  const plain = await api.ask("nobody", "GET", `${v1}/capabilities`);
  expect(plain.body).toMatchObject({
    authn: { trusted_token_issuers: ["https://issuer.example.com"] },
    kinds: { clusters: expect.arrayContaining(["create", "credentials"]), quotas: ["list", "get"] },
    default_quota: "unlimited",
  });
  expect(plain.body.kinds).not.toHaveProperty("hubs");
  const theirs = await api.ask("nobody", "GET", `${v1}/capabilities`, undefined, osac);
  expect(Object.keys(theirs.body)).toEqual(["authn"]);
});
