import { expect, it } from "vitest";
import { asClusterId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { clusterSchema } from "../../../core/resources/cluster/wire.ts";
import { osacForm } from "../../../functions/api/registry.ts";
import { catalogApi, order, priv, pullSecret, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";

/** The osac profile: for clients that refuse members they do not know. */

const osac = { Accept: "application/json;profile=osac" };

it("is asked for by header", async () => {
  const api = await catalogApi();
  const { body } = await api.ask(
    "ann",
    "POST",
    `${v1}/clusters`,
    order("one", { placement: { region: "eu" } }),
    osac,
  );
  expect(body.spec).not.toHaveProperty("placement");
  expect(body.status).not.toHaveProperty("operation");
  expect(body.spec.template_parameters.vlan).toEqual({
    "@type": "type.googleapis.com/google.protobuf.Int64Value",
    value: "100",
  });
  const list = await api.ask("ann", "GET", `${v1}/clusters`, undefined, osac);
  expect(list.body.items).toEqual([body]);
});

it("has no page tokens, which OSAC's clients do not know", async () => {
  const api = await catalogApi();
  const { body } = await api.ask("ann", "GET", `${v1}/host_types?limit=1`, undefined, osac);
  expect(body).toMatchObject({ size: 1, total: 2 });
  expect(Object.keys(body).sort()).toEqual(["items", "size", "total"]);
});

it("has no hardware of host types, which is ours", async () => {
  const api = await catalogApi();
  const path = `${priv}/host_types/small`;
  const hardware = { cpus: 32 };
  expect((await api.ask("admin", "PATCH", path, { hardware })).body).toMatchObject({ hardware });
  const { body } = await api.ask("ann", "GET", `${v1}/host_types/small`, undefined, osac);
  expect(body.title).toBe("Small");
  expect(body).not.toHaveProperty("hardware");
});

it("can be the server's own, and then the other is asked for", async () => {
  const api = await catalogApi(testDeps(), "osac");
  const template = await api.ask("ann", "GET", `${v1}/cluster_templates/ocp_small`);
  expect(template.body.parameters[0]).toMatchObject({
    type: "type.googleapis.com/google.protobuf.Int64Value",
    default: { value: "100" },
  });
  expect(template.body.node_sets.gpu).toEqual({
    host_type: { id: "large", name: "large" },
    size: 1,
  });
  const ours = await api.ask("ann", "GET", `${v1}/cluster_templates/ocp_small`, undefined, {
    Accept: "application/json; profile=slipway",
  });
  expect(ours.body.parameters[0]).toMatchObject({ type: "integer", default: 100 });
});

it("may be sent back as it came, and changes nothing", async () => {
  const api = await catalogApi(testDeps(), "osac");
  const { body } = await api.ask(
    "ann",
    "POST",
    `${v1}/clusters`,
    order("one", { pull_secret: pullSecret("x") }),
  );
  const template = await api.ask("admin", "GET", `${priv}/cluster_templates/ocp_small`);
  const before = api.dump();
  expect((await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, body)).body).toEqual(body);
  expect(
    (await api.ask("admin", "PATCH", `${priv}/cluster_templates/ocp_small`, template.body)).body,
  ).toEqual(template.body);
  expect(api.dump()).toBe(before);
});

it("gets OSAC's code for a change of the spec of a failed cluster", async () => {
  const api = await catalogApi();
  const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  await changeObject(api.deps, "cluster", asClusterId(body.id), ({ operation: _, ...rest }) => ({
    ...rest,
    failure: { step: "ReserveCapacity", kind: "Rejected", message: "no" },
  }));
  const answer = await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, {
    spec: { node_sets: { workers: { size: 3 }, gpu: { size: 1 } } },
  });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: 3,
      message: "cannot update cluster spec when cluster state is CLUSTER_STATE_FAILED",
    },
  });
});

it("shows the address of the ingress", async () => {
  const { ingress_endpoint } = clusterSchema.shape.status.shape;
  expect(ingress_endpoint.parse(undefined)).toBeUndefined();
  const api = await catalogApi();
  const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  const status = { ...body.status, api_endpoint: "10.0.0.1", ingress_endpoint: "10.0.0.2" };
  expect(osacForm("cluster", { ...body, status }).status).toMatchObject({
    api_endpoint: "10.0.0.1",
    ingress_endpoint: "10.0.0.2",
  });
});

it("lets administrators order, change and delete for a tenant in the private API", async () => {
  const api = await catalogApi();
  const path = `${priv}/clusters`;
  const { body } = await api.ask("admin", "POST", path, order("one", {}, { tenant: "tenant-a" }));
  expect(body.metadata).toMatchObject({ tenant: "tenant-a", creator: "root" });
  expect(body.status.infra_id).toBeDefined();
  const own = `${path}/${body.id}`;
  const changed = await api.ask("admin", "PATCH", own, { metadata: { labels: { a: "1" } } });
  expect(changed.body.metadata).toMatchObject({ tenant: "tenant-a", labels: { a: "1" } });
  expect((await api.ask("ann", "GET", `${v1}/clusters/${body.id}`)).status).toBe(200);
  expect((await api.ask("bob", "GET", `${v1}/clusters/${body.id}`)).status).toBe(404);
  for (const method of ["POST", "PATCH", "DELETE"])
    expect((await api.ask("ann", method, method === "POST" ? path : own, {})).status).toBe(403);
  const deleted = await api.ask("admin", "DELETE", own);
  expect(deleted).toMatchObject({ status: 200, body: {} });
  expect(deleted.headers.get("Operation-Location")).not.toBeNull();
});
