import { beforeEach, expect, it } from "vitest";
import { changeObject } from "../../../../../core/kernel/events/rewrite.ts";
import type { JsonObject } from "../../../../../core/kernel/input/shape.ts";
import { archive, mustLoad } from "../../../../../core/kernel/object/records.ts";
import type { Caller } from "../../../../../core/kernel/request/caller.ts";
import {
  createObject,
  deleteObject,
  updateObject,
} from "../../../../../core/kernel/request/crud.ts";
import { rehearsal } from "../../../../../core/kernel/request/rehearsal.ts";
import { clusterTemplates } from "../../../../../core/resources/cluster-template/api.ts";
import { renderedManifests } from "../../../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../../../core/resources/cluster-template/content/revisions.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import { retryCluster } from "../../../../support/actions.ts";
import { createCluster } from "../../../../support/clusters.ts";
import type { TestDeps } from "../../../../support/deps.ts";
import { ann, depsWithCatalog, ordered } from "../../../../support/orders.ts";
import { wanted } from "../../../../support/wanted.ts";

const root: Caller = { user: "root", tenant: "shared", everywhere: true };
const config = (value: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "demo" },
  data: { value },
});

let deps: TestDeps;
beforeEach(async () => {
  deps = await depsWithCatalog();
});

const publish = async (change: JsonObject) => {
  const { object } = await updateObject(
    deps,
    root,
    clusterTemplates,
    "t1",
    wanted((current) => ({
      ...current,
      ...change,
    })),
  );
  return object.spec.revision;
};

it("counts contents: from 1, once a change, and not for what is the same", async () => {
  expect((await mustLoad(deps, "cluster_template", "t1")).spec.revision).toBe(1);
  expect(await publish({ manifests: [config("a")] })).toBe(2);
  expect(await publish({ manifests: [config("a")] })).toBe(2);
  const metadata = { name: "t-1", tenant: "shared", labels: { a: "b" } };
  expect(await publish({ metadata })).toBe(2);
  expect(await publish({ title: "New" })).toBe(3);
  // Going back is a change like any other.
  expect(await publish({ title: "", manifests: [config("a")] })).toBe(4);
});

it("an order keeps the one it was accepted with, also when it is retried", async () => {
  await publish({ manifests: [config("old")] });
  const { cluster } = await ordered(deps);
  expect(cluster.template_revision).toBe(2);
  await publish({ manifests: [config("new")] });
  await changeObject(deps, "cluster", cluster.id, ({ operation: _, ...each }) => ({
    ...each,
    failure: { step: "JoinNodes", kind: "Rejected", message: "no" },
  }));
  await retryCluster(deps, ann, cluster.id);
  const again = await mustLoad(deps, "cluster", cluster.id);
  const manifests = renderedManifests(await loadRevision(deps.store, again), {});
  expect(manifests).toEqual([config("old")]);
  const next = await ordered(deps, "two");
  expect(renderedManifests(await loadRevision(deps.store, next.cluster), {})).toEqual([
    config("new"),
  ]);
});

it("outlives its template, and a template of the same id does not take its place", async () => {
  const { cluster } = await ordered(deps);
  await deps.store.transact(
    archive(kinds, await mustLoad(deps, "cluster", cluster.id), deps.clock.now()),
  );
  await deleteObject(deps, root, clusterTemplates, "t1");
  expect(await loadRevision(deps.store, cluster)).toMatchObject({ revision: 1 });
  // The id is free again only when the archived template has expired.
  await deps.store.transact([{ delete: { pk: "archive#cluster_template#t1", sk: "-" } }]);
  const { object } = await createObject(deps, root, clusterTemplates, {
    id: "t1",
    metadata: { name: "t-1" },
    node_sets: { others: { host_type: "small", size: 1 } },
  });
  expect(object.spec.revision).toBe(2);
  expect((await loadRevision(deps.store, cluster)).node_sets).toHaveProperty("workers");
  const next = await createCluster(deps, ann, {
    metadata: { name: "x" },
    spec: { template: "t1" },
  });
  expect(next.object.template_revision).toBe(2);
});

it("has one number for each of two changes at once", async () => {
  const numbers = await Promise.all(["a", "b", "c"].map((title) => publish({ title })));
  expect(numbers.toSorted()).toEqual([2, 3, 4]);
});

it("writes nothing for a dry run", async () => {
  const body = {
    id: "t2",
    metadata: { name: "t-2" },
    node_sets: { w: { host_type: "small", size: 1 } },
  };
  const { object } = await createObject(rehearsal(deps).deps, root, clusterTemplates, body);
  expect(object.spec.revision).toBe(1);
  const order = { spec: { template: { id: "t2" } }, template_revision: 1 };
  await expect(loadRevision(deps.store, order)).rejects.toThrow("no revision 1");
  await expect(
    createCluster(deps, ann, { metadata: { name: "x" }, spec: { template: "t2" } }),
  ).rejects.toThrow("not found");
});
