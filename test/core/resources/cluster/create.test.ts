import { describe, expect, it } from "vitest";
import type { Json } from "../../../../core/kernel/input/shape.ts";
import { asFarAsValid, recordOf, valueFaults } from "../../../../core/resources/cluster/create.ts";
import type { ClusterSpecInput } from "../../../../core/resources/cluster-template/order-input.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

it.each<[string, string, ClusterSpecInput, string[]]>([
  ["no value that can be wrong alone", "web", {}, []],
  ["a name that DNS uses", "apps", {}, ["metadata.name"]],
  ["a pull secret that is none", "web", { pull_secret: "x" }, ["spec.pull_secret"]],
  ["both", "apps", { pull_secret: "x" }, ["metadata.name", "spec.pull_secret"]],
])("an order with %s is refused before anything is read", (_, name, spec, fields) => {
  const input = { metadata: { name, project: "shop" }, spec };
  expect(valueFaults("tenant-a", input).map(({ field }) => field)).toEqual(fields);
});

it.each<[string, Json, object]>([
  ["nothing", {}, { metadata: { name: "" }, spec: {} }],
  [
    "a name and a spec of which a part is wrong",
    { metadata: { name: "web" }, spec: { template: "small", ssh_public_key: 7 } },
    { metadata: { name: "web" }, spec: { template: "small" } },
  ],
  [
    "a spec that is none",
    { metadata: { name: "web" }, spec: 7 },
    { metadata: { name: "web" }, spec: {} },
  ],
])("of an order with %s the valid parts are checked", (_, body, input) => {
  expect(asFarAsValid(body)).toEqual(input);
});

describe("the record of a new cluster", () => {
  const { spec, release } = clusterRecord(0);
  const resolved = {
    ...{ spec, release, template_revision: 3, has_storage: false },
    on_failure: "unwind" as const,
  };
  const found = {
    resolved,
    ...{ item: undefined, named: undefined, brought: undefined, attached: undefined },
  };
  const reference = { id: "1", name: "one" };
  const attached = {
    attachment: { subnet: reference, security_groups: [] },
    stands_in: { subnet: "1", name: "s", groups: [] },
  };

  it.each<[string, Partial<Parameters<typeof recordOf>[0]>, object, object]>([
    ["a template", {}, {}, {}],
    ["an offer", { item: reference }, { catalog_item: reference }, {}],
    ["a secret object", { named: reference }, { pull_secret_secret: reference }, {}],
    ["a pull secret", { brought: { reference: "p" } }, { pull_secret: "p" }, {}],
    [
      "a subnet",
      { attached },
      { network_attachment: attached.attachment },
      { stands_in: attached.stands_in },
    ],
    [
      "a template with storage",
      { resolved: { ...resolved, has_storage: true } },
      {},
      { has_storage: true, charge: expect.objectContaining({ storage_clusters: 1 }) },
    ],
    [
      "a template that keeps failed clusters",
      { resolved: { ...resolved, on_failure: "hold" } },
      {},
      { on_failure: "hold" },
    ],
  ])("has what an order by %s says, and no more", (_, more, inSpec, inRecord) => {
    const built = recordOf({ ...found, ...more }, "abc");
    expect(built.spec).toEqual({ ...spec, ...inSpec });
    expect(built.record).toEqual({
      ...{ infra_id: "abc", template_revision: 3, release, published: false },
      ...{ observed: { node_pools: {} }, charge: expect.anything() },
      ...inRecord,
    });
  });
});
