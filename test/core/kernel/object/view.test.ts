import { beforeEach, describe, expect, it } from "vitest";
import type { Kind } from "../../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../../core/kernel/object/object-of.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { apiOf } from "../../../../core/kernel/request/api-of.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { percentOf } from "../../../../core/kernel/saga/shown.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { unwrapped, wrapped } from "../../../../core/resources/cluster-template/any.ts";
import { apiKinds } from "../../../../core/resources/generated/api-kinds.ts";
import { view } from "../../../../functions/api/registry.ts";
import { depsWithCatalog, ordered } from "../../../support/orders.ts";

let cluster: Cluster;
let operation: Operation;
let objects: ObjectOf[Kind][];
beforeEach(async () => {
  const deps = await depsWithCatalog();
  ({ cluster, operation } = await ordered(deps));
  cluster = {
    ...cluster,
    spec: {
      ...cluster.spec,
      pull_secret: "cluster/x/pull-secret",
      template_parameters: { n: 3, f: 0.5, b: true, s: "x" },
    },
    placement: {
      hub: "hub-1" as never,
      at: cluster.event.time,
      reason: "least loaded",
      rejected: [{ hub: "hub-2", reason: "full" }],
      hosts: { workers: ["h1" as never] },
    },
  };
  objects = [
    cluster,
    operation,
    await mustLoad(deps, "host_type", "small"),
    await mustLoad(deps, "cluster_version", "4-17-0"),
    await mustLoad(deps, "cluster_template", "t1"),
  ];
});

it("is what the schemas say, of every kind, private and not", () => {
  for (const object of objects) {
    for (const privately of [true, false]) {
      const wire = view(object, { profile: "slipway", private: privately });
      expect(apiOf(apiKinds, object.kind).schema.strict().parse(wire)).toEqual(wire);
    }
  }
});

describe("a cluster", () => {
  it("shows no secret, not even where it is, and to tenants no hub or host", () => {
    const seen = JSON.stringify(view(cluster, { profile: "slipway", private: false }));
    expect(JSON.parse(seen).spec.pull_secret).toBe("***");
    for (const hidden of ["cluster/x", "hub-1", "hub-2", "h1", cluster.infra_id])
      expect(seen).not.toContain(`"${hidden}"`);
    const status = view(cluster, { profile: "slipway", private: true }).status;
    expect(status).toMatchObject({
      hub: "hub-1",
      hosts: { workers: ["h1"] },
      infra_id: cluster.infra_id,
    });
  });

  it("has in the osac profile only what OSAC's clients know", () => {
    const wire = view(
      { ...cluster, spec: { ...cluster.spec, placement: { region: "eu" } } },
      { profile: "osac", private: false },
    );
    expect(Object.keys(wire.spec ?? {}).sort()).toEqual([
      "network",
      "node_sets",
      "pull_secret",
      "template",
      "template_parameters",
      "version",
    ]);
    expect(Object.keys(wire.status ?? {}).sort()).toEqual([
      "conditions",
      "node_sets",
      "state",
      "state_transition_time",
    ]);
    expect(wire.spec).toMatchObject({
      template_parameters: {
        n: { "@type": "type.googleapis.com/google.protobuf.Int64Value", value: "3" },
        f: { "@type": "type.googleapis.com/google.protobuf.DoubleValue", value: 0.5 },
        b: { "@type": "type.googleapis.com/google.protobuf.BoolValue", value: true },
        s: { "@type": "type.googleapis.com/google.protobuf.StringValue", value: "x" },
      },
    });
    const types = Object(wire.status).conditions.map(({ type }: { type: string }) => type);
    expect(types).toEqual(
      ["PROGRESSING", "READY", "FAILED", "DEGRADED"].map(
        (type) => `CLUSTER_CONDITION_TYPE_${type}`,
      ),
    );
  });
});

it.each([3, -1, 0.5, true, "x", ""])(
  "what is wrapped as Any is the same unwrapped: %j",
  (value) => {
    expect(unwrapped(wrapped(value))?.value).toBe(value);
  },
);

it("an operation shows its steps in the order of their positions", () => {
  const entry = (position: number) => ({
    state: "PENDING" as const,
    attempts: 0,
    leases: {},
    position,
  });
  const { status } = view(
    { ...operation, steps: { B: entry(2), A: entry(1), C: entry(3) } },
    { profile: "slipway", private: false },
  );
  expect(Object(status).steps.map(({ name }: { name: string }) => name)).toEqual(["A", "B", "C"]);
});

describe("an operation's percent", () => {
  const entry = (state: "SUCCEEDED" | "WAITING" | "PENDING") => ({
    state,
    attempts: 1,
    leases: {},
    position: 0,
  });
  const with_ = (steps: Operation["steps"], state: Operation["status"]["state"] = "RUNNING") =>
    percentOf({ ...operation, steps, status: { state } });

  it("is the share of steps that ended, and 100 only for success", () => {
    expect(with_({})).toBe(0);
    expect(with_({ A: entry("SUCCEEDED"), B: entry("WAITING"), C: entry("PENDING") })).toBe(33);
    expect(with_({ A: entry("SUCCEEDED") })).toBe(99);
    expect(with_({ A: entry("SUCCEEDED"), "Undo A": entry("PENDING"), B: entry("PENDING") })).toBe(
      50,
    );
    expect(with_({ A: entry("WAITING") }, "SUCCEEDED")).toBe(100);
  });
});
