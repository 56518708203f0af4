import { beforeEach, expect, it } from "vitest";
import { fillAllocation } from "../../../core/placement/allocations/fill.ts";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";
import { addHosts, addHub, addOrder, hostsNamed, reserveFor } from "../../support/placement.ts";

/** Allocations as the provider writes them, and what their tenant sees. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const path = `${priv}/allocations`;
const reserve = (spec: object, metadata: object = { tenant: "tenant-a" }) =>
  api.ask("admin", "POST", path, { metadata: { name: "training", ...metadata }, spec });
const made = async (spec: object): Promise<string> => {
  const { status, text, body } = await reserve(spec);
  expect(status, text).toBe(200);
  return body.id;
};
const change = (id: string, spec: object) => api.ask("admin", "PATCH", `${path}/${id}`, { spec });
const wrongIn = ({ body }: Awaited<ReturnType<typeof reserve>>): string[] =>
  body.errors.map(({ field }: { field: string }) => field);

it("names a host type or an instance type, a number, and the tenant", async () => {
  expect(wrongIn(await reserve({ reserved: 2 }))).toEqual(["spec.host_type"]);
  const both = { host_type: "small", instance_type: "none", reserved: 2 };
  expect(wrongIn(await reserve(both))).toContain("spec.host_type");
  expect(wrongIn(await reserve({ host_type: "small", reserved: 0 }))).toEqual(["spec.reserved"]);
  expect(wrongIn(await reserve({ host_type: "small", reserved: 2 }, {}))).toEqual([
    "metadata.tenant",
  ]);
  const id = await made({ host_type: "small", reserved: 2 });
  expect(wrongIn(await change(id, { host_type: "large" }))).toContain("spec.host_type");
});

it("is the tenant's to see, without what the provider keeps to itself, and not to write", async () => {
  const id = await made({ host_type: "small", reserved: 2 });
  const { body } = await api.ask("ann", "GET", `${v1}/allocations/${id}`);
  expect(body).toMatchObject({
    spec: { host_type: "small", reserved: 2 },
    status: { kept: 0, used: 0, lacking: 2 },
  });
  expect(body.status).not.toHaveProperty("host_types");
  expect((await api.ask("bob", "GET", `${v1}/allocations/${id}`)).status).toBe(404);
  expect((await api.ask("amy", "DELETE", `${v1}/allocations/${id}`)).status).not.toBe(200);
});

it("in use, it is not lowered below that, nor deleted, nor is its tenant", async () => {
  const { deps } = api;
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 4));
  const id = await made({ host_type: "small", reserved: 4 });
  await fillAllocation(deps, id);
  await reserveFor(deps, await addOrder(deps, "order", { small: 3 }));
  const shown = (await api.ask("admin", "GET", `${path}/${id}`)).body;
  expect(shown.status).toEqual({ host_types: ["small"], kept: 1, used: 3, lacking: 0 });
  expect(wrongIn(await change(id, { reserved: 2 }))).toEqual(["spec.reserved"]);
  const refused = await api.ask("admin", "DELETE", `${path}/${id}`);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringContaining("in use by cluster 'order'"),
  ]);
  const tenant = await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`);
  expect(tenant.body.message).toContain("1 allocations");
  expect((await change(id, { reserved: 3 })).status).toBe(200);
  await fillAllocation(deps, id);
  const after = (await api.ask("admin", "GET", `${path}/${id}`)).body;
  expect(after.status).toEqual({ host_types: ["small"], kept: 0, used: 3, lacking: 0 });
});
