import { expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { workFor } from "../../../core/resources/host/care.ts";
import { sshKey } from "../../support/orders.ts";
import { recordsIn } from "../../support/records.ts";
import { openSite, type Site } from "../../support/site.ts";

/** DPUs in the inventory: what a host says of them, and what they claim. */

const macs = ["52:54:00:fe:01:01", "52:54:00:fe:01:02"];
const nics = macs.map((mac, n) => ({ name: `eno${n}`, mac, switch: "leaf-a1", port: `${n}` }));
const bmc = (host: string) => ({
  address: `redfish://${host}/redfish/v1/Systems/1`,
  username: "slipway",
  password: "secret",
});

const host = async (site: Site, spec: object, name = "server-1") => {
  const type = { metadata: { name: "with-dpus" }, hardware: { dpus: 2 } };
  await site.admin("POST", "host_types", type);
  return site.admin("POST", "hosts", {
    metadata: { name },
    spec: { host_type: "with-dpus", hub: "hub-a", bmc: bmc("10.9.0.1"), nics, dpus: 2, ...spec },
  });
};

const port = (n: number) => ({ name: "pf0hpf", host_mac: macs[n] });
const dpu = (site: Site, n: number, spec: object = {}) =>
  site.admin("POST", "dpus", {
    metadata: { name: `server-1-dpu-${n}` },
    spec: {
      ...{ host: "server-1", serial: `MT-${n}`, bmc: bmc(`10.9.1.${n}`), ports: [port(n)] },
      ...spec,
    },
  });

async function withHost(): Promise<{ site: Site; id: string }> {
  const site = await openSite();
  const { status, body } = await host(site, {});
  expect(status, JSON.stringify(body)).toBe(200);
  return { site, id: body.id };
}

const refusal = (body: { details: { field_violations: object[] }[] }) =>
  body.details[0]?.field_violations;

it("are tied to their host, whose controller's password nobody reads", async () => {
  const { site, id } = await withHost();
  const { status, body } = await dpu(site, 0);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.spec).toMatchObject({ host: { id, name: "server-1" }, serial: "MT-0" });
  expect(body.spec.bmc).toEqual({ address: bmc("10.9.1.0").address });
  expect(body.status.state).toBe("DPU_STATE_UNDISCOVERED");
});

it("hold back their host until all are registered", async () => {
  const { site, id } = await withHost();
  const records = recordsIn(site.laptop.store);
  const work = async () => workFor(await mustLoad(records, "host", id));
  await dpu(site, 0);
  expect(await work()).toBeUndefined();
  await dpu(site, 1);
  expect(await work()).toBe("discover");
});

it("are no more than their host has", async () => {
  const { site } = await withHost();
  for (const n of [0, 1]) expect((await dpu(site, n)).status).toBe(200);
  const third = await dpu(site, 2, { ports: [{ name: "p" }] });
  expect(refusal(third.body)).toEqual([
    { field: "object.spec.host", description: "has 2 DPUs, which are registered" },
  ]);
});

const wrong: [string, object, string, string][] = [
  [
    "a NIC of another host",
    { ports: [{ name: "p", host_mac: "52:54:00:00:00:99" }] },
    "ports[0].host_mac",
    "must be the MAC",
  ],
  [
    "a port twice",
    { ports: [{ name: "p" }, { name: "p" }] },
    "ports[1].name",
    "appears more than once",
  ],
  [
    "a NIC twice",
    { ports: [port(0), { ...port(0), name: "q" }] },
    "ports[1].host_mac",
    "appears more than once",
  ],
  [
    "the controller of its host",
    { bmc: bmc("10.9.0.1") },
    "bmc.address",
    "belongs to another host",
  ],
  [
    "no way to log in",
    { bmc: { address: bmc("10.9.1.7").address } },
    "bmc.username",
    "is required",
  ],
  ["a node of Ironic", { bmc: { address: "ironic:n1" } }, "bmc.address", "must be a Redfish URL"],
  ...["10.9.1.010", "10.9.1", "168362247", "0x0a090107"].map(
    (address): [string, object, string, string] => [
      `${address}, which others read as another address`,
      { bmc: bmc(address) },
      "bmc.address",
      "four plain decimals",
    ],
  ),
];

it.each(wrong)("are refused with %s", async (_, spec, field, message) => {
  const { site } = await withHost();
  const { status, body } = await dpu(site, 0, spec);
  expect(status).toBe(400);
  expect(refusal(body)).toEqual([
    { field: `object.spec.${field}`, description: expect.stringContaining(message) },
  ]);
});

it("are refused for a host that says of none", async () => {
  const site = await openSite();
  await host(site, { host_type: "fc430", dpus: undefined });
  const { body } = await dpu(site, 0);
  expect(JSON.stringify(body)).toContain("has no DPUs: say in spec.dpus of host 'server-1'");
});

it("are no two DPUs with one controller", async () => {
  const { site } = await withHost();
  await dpu(site, 0);
  const { body } = await dpu(site, 1, { bmc: bmc("10.9.1.0") });
  expect(JSON.stringify(body)).toContain("belongs to another DPU");
});

it("keep their host from its deletion, and from another hub or fewer of them", async () => {
  const { site, id } = await withHost();
  const made = await dpu(site, 0);
  const kept = await site.admin("DELETE", `hosts/${id}`);
  expect(kept.body.message).toContain("in use by dpu 'server-1-dpu-0'");
  const fewer = await site.admin("PATCH", `hosts/${id}`, { spec: { dpus: null } });
  expect(JSON.stringify(fewer.body)).toContain("must be at least 1: so many are registered");
  const moved = await site.admin("PATCH", `hosts/${id}`, { spec: { hub: "hub-b" } });
  expect(JSON.stringify(moved.body)).toContain("cannot change while DPUs");
  expect((await site.admin("DELETE", `dpus/${made.body.id}`)).status).toBe(200);
  expect((await mustLoad(recordsIn(site.laptop.store), "host", id)).dpus).toEqual([]);
  expect((await site.admin("DELETE", `hosts/${id}`)).status).toBe(200);
});

it("are refused for a host that Slipway does not boot", async () => {
  const site = await openSite();
  const { body } = await host(site, { bmc: { address: "redfish://10.9.0.2" } });
  expect(JSON.stringify(body)).toContain("needs the credentials of the host's controller");
});

it("are as many as the host type says of each of its hosts, and are not ordered for clusters", async () => {
  const site = await openSite();
  const unlike = await host(site, { dpus: 1 });
  expect(refusal(unlike.body)).toEqual([
    {
      field: "object.spec.dpus",
      description:
        "must be 2: so `hardware.dpus` of host type 'with-dpus' says of each of its hosts",
    },
  ]);
  const none = await host(site, { host_type: "fc430" });
  expect(none.body.message).toContain("must be left out: so `hardware.dpus` of host type 'fc430'");
  expect((await host(site, {})).status).toBe(200);
  const change = await site.admin("PATCH", "host_types/with-dpus", { hardware: { dpus: 1 } });
  expect(change.body.message).toContain(
    "hardware.dpus: cannot change while there are hosts of the type",
  );
  const template = {
    ...{ id: "t", metadata: { name: "t" } },
    node_sets: { workers: { host_type: "with-dpus", size: 1 } },
  };
  expect((await site.admin("POST", "cluster_templates", template)).status).toBe(200);
  const order = await site.api("POST", "clusters", {
    metadata: { name: "c1" },
    spec: { template: "t", pull_secret: '{"auths":{}}', ssh_public_key: sshKey("me") },
  });
  expect(order.body.message).toContain(
    "spec.node_sets.workers.host_type: hosts of type with-dpus have DPUs",
  );
});
