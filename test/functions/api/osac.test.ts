import { expect, it } from "vitest";
import { catalogApi, order, priv, v1 } from "../../support/api.ts";
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
    order("one", { pull_secret: "x" }),
  );
  const template = await api.ask("admin", "GET", `${priv}/cluster_templates/ocp_small`);
  const before = api.dump();
  expect((await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, body)).body).toEqual(body);
  expect(
    (await api.ask("admin", "PATCH", `${priv}/cluster_templates/ocp_small`, template.body)).body,
  ).toEqual(template.body);
  expect(api.dump()).toBe(before);
});
