import { beforeEach, expect, it } from "vitest";
import type { KubeCluster } from "../../../sim/kubernetes/cluster.ts";
import { openCluster, widget } from "./fixture.ts";

let cluster: KubeCluster;
beforeEach(() => {
  cluster = openCluster().cluster;
});

const ours = { fieldManager: "slipway", force: true };

it("creates what is missing, with defaults, and records the fields as the manager's", () => {
  const created = cluster.apply(widget("a", { replicas: 2 }, { labels: { x: "1" } }), ours);
  expect(created.spec).toEqual({ size: "small", replicas: 2 });
  expect(created.metadata.generation).toBe(1);
  expect(created.metadata.managedFields).toEqual([
    {
      manager: "slipway",
      operation: "Apply",
      apiVersion: "example.com/v1",
      time: "2030-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:labels": { "f:x": {} } }, "f:spec": { "f:replicas": {} } },
    },
  ]);
});

it("removes fields that the next apply leaves out, with the parents this empties", () => {
  const labels = { x: "1", y: "2" };
  cluster.apply(widget("a", { replicas: 2, labels: { p: "q" } }, { labels }), ours);
  const next = cluster.apply(widget("a", { size: "large" }, { labels: { x: "1" } }), ours);
  expect(next.spec).toEqual({ size: "large" });
  expect(next.metadata.labels).toEqual({ x: "1" });
});

it("a field left out that has a default goes back to it", () => {
  cluster.apply(widget("a", { size: "large" }), ours);
  expect(cluster.apply(widget("a"), ours).spec).toEqual({ size: "small" });
});

it("leaves fields alone that somebody else set", () => {
  cluster.apply(widget("a", { replicas: 2 }), ours);
  cluster.mutate("Widget", "default", "a", (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { theirs: "1" }, finalizers: ["example.com/operator"] },
  }));
  const again = cluster.apply(
    widget("a", { replicas: 3 }, { labels: { mine: "1" }, finalizers: ["example.com/mine"] }),
    ours,
  );
  expect(again.metadata.labels).toEqual({ theirs: "1", mine: "1" });
  expect(again.metadata.finalizers).toEqual(["example.com/operator", "example.com/mine"]);
  const dropped = cluster.apply(widget("a", { replicas: 3 }), ours);
  expect(dropped.metadata.labels).toEqual({ theirs: "1" });
  expect(dropped.metadata.finalizers).toEqual(["example.com/operator"]);
});

it("an apply that changes nothing leaves the resourceVersion", () => {
  const parts = [{ name: "p" }];
  cluster.apply(widget("a", { replicas: 2, parts, labels: {} }), ours);
  const first = cluster.apply(widget("a", { replicas: 2, parts, labels: {} }), {
    fieldManager: "second",
  });
  const { revision } = cluster.store;
  const again = cluster.apply(widget("a", { parts, replicas: 2, labels: {} }), ours);
  expect(again).toEqual(first);
  expect(cluster.store.revision).toBe(revision);
});

it("so does a Secret whose stringData is stored as data", () => {
  const metadata = { name: "s", namespace: "default" };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, stringData: { a: "1" } };
  expect(cluster.apply(secret, ours)).toMatchObject({ data: { a: "MQ==" } });
  const { revision } = cluster.store;
  cluster.apply(secret, ours);
  expect(cluster.store.revision).toBe(revision);
});

it("another manager's change of an owned field is a conflict that names it, unless forced", () => {
  cluster.apply(widget("a", { replicas: 2, size: "large" }), ours);
  const theirs = widget("a", { replicas: 5, size: "large" });
  expect(() => cluster.apply(theirs, { fieldManager: "other" })).toThrow(
    expect.objectContaining({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "slipway": .spec.replicas',
    }),
  );
  const taken = cluster.apply(theirs, { fieldManager: "other", force: true });
  expect(taken.spec).toEqual({ replicas: 5, size: "large" });
  // Taken over: the first manager no longer removes it by leaving it out.
  expect(cluster.apply(widget("a", { size: "large" }), ours).spec).toMatchObject({ replicas: 5 });
});

it("a field that two managers apply stays until both have left it out", () => {
  const both = widget("a", {}, { labels: { shared: "1" } });
  cluster.apply(both, ours);
  cluster.apply(both, { fieldManager: "other" });
  expect(cluster.apply(widget("a"), ours).metadata.labels).toEqual({ shared: "1" });
  const gone = cluster.apply(widget("a"), { fieldManager: "other" });
  expect(gone.metadata.labels).toBeUndefined();
});

it("an update takes over the fields it changes, and an apply that changes them back conflicts", () => {
  cluster.apply(widget("a", { replicas: 2 }), ours);
  cluster.patch("Widget", "default", "a", (o) => ({ ...o, spec: { replicas: 7, size: "small" } }), {
    fieldManager: "kubectl-edit",
  });
  const apply = () => cluster.apply(widget("a", { replicas: 2 }), { fieldManager: "slipway" });
  expect(apply).toThrow(/conflict with "kubectl-edit" using example.com\/v1 at .*: .spec.replicas/);
});

it("lists are replaced whole", () => {
  cluster.apply(widget("a", { parts: [{ name: "one" }, { name: "two" }] }), ours);
  const next = cluster.apply(widget("a", { parts: [{ name: "two" }] }), ours);
  expect(next.spec).toMatchObject({ parts: [{ name: "two" }] });
});

it("refuses managedFields, a stale resourceVersion and another uid", () => {
  cluster.apply(widget("a"), ours);
  const apply = (metadata: object) => () => cluster.apply(widget("a", {}, metadata), ours);
  expect(apply({ managedFields: [] })).toThrow(expect.objectContaining({ code: 400 }));
  expect(apply({ resourceVersion: "1" })).toThrow(expect.objectContaining({ code: 409 }));
  expect(apply({ uid: "other" })).toThrow(expect.objectContaining({ code: 409 }));
});

it("ignores status, and applies it alone through the subresource", () => {
  const withStatus = { ...widget("a", { replicas: 1 }), status: { phase: "Made up" } };
  expect(cluster.apply(withStatus, ours).status).toBeUndefined();
  const options = { ...ours, subresource: "status" as const };
  const status = { phase: "Ready" };
  const applied = cluster.apply({ ...widget("a", { replicas: 9 }), status }, options);
  expect(applied).toMatchObject({ spec: { replicas: 1 }, status });
  expect(cluster.apply(widget("a", { replicas: 1 }), ours).status).toEqual(status);
});
