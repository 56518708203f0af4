import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import type { KubeCluster, KubeObject } from "../../../sim/kubernetes/cluster.ts";
import { openCluster, widget } from "./fixture.ts";

let cluster: KubeCluster;
beforeEach(() => {
  cluster = openCluster().cluster;
});

function configMap(name: string, metadata: object = {}) {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", ...metadata },
  };
}

function ownedBy(...owners: KubeObject[]) {
  const ownerReferences = owners.map(({ apiVersion, kind, metadata: { name, uid } }) => ({
    apiVersion,
    kind,
    name,
    uid,
  }));
  return { ownerReferences };
}

/** Every change of the cluster as "ADDED Kind name". */
function record(of: KubeCluster): string[] {
  const seen: string[] = [];
  of.watch("*", ({ type, object }) => seen.push(`${type} ${object.kind} ${object.metadata.name}`));
  return seen;
}

describe("storage", () => {
  it("a reopened cluster has its objects, its revisions go on, and its history begins anew", () => {
    const folder = mkdtempSync(join(tmpdir(), "kube-"));
    const file = join(folder, "world.db");
    const first = openCluster(new DatabaseSync(file));
    const stored = first.cluster.create(widget("a"));
    first.database.close();

    const second = openCluster(new DatabaseSync(file));
    expect(second.cluster.get("Widget", "default", "a")).toEqual(stored);
    const next = second.cluster.create(widget("b"));
    expect(Number(next.metadata.resourceVersion)).toBe(Number(stored.metadata.resourceVersion) + 1);
    const kind = second.cluster.kinds.named("Widget");
    const events = second.cluster.store.changes.since(0, kind);
    expect(events.map(({ event }) => event.object.metadata.name)).toEqual(["b"]);
    second.database.close();
    rmSync(folder, { recursive: true });
  });

  it("clusters in one database do not see each other", () => {
    const database = new DatabaseSync(":memory:");
    const one = openCluster(database, "hub-1").cluster;
    const two = openCluster(database, "hub-2").cluster;
    const seen = record(two);
    const before = two.store.revision;
    one.create(widget("a"));
    expect(two.list("Widget")).toEqual([]);
    expect(two.store.revision).toBe(before);
    expect(seen).toEqual([]);
  });

  it("a write that is refused half way leaves nothing", () => {
    const seen = record(cluster);
    const failing = () =>
      cluster.store.transaction(() => {
        cluster.create(widget("a"));
        cluster.create(widget("a"));
      });
    expect(failing).toThrow(expect.objectContaining({ code: 409 }));
    expect(cluster.list("Widget")).toEqual([]);
    expect(seen).toEqual([]);
  });

  it("a rehearsal answers as the write would and leaves nothing", () => {
    const { revision } = cluster.store;
    const seen = record(cluster);
    expect(cluster.rehearse(() => cluster.create(widget("a")))).toMatchObject({ kind: "Widget" });
    expect(cluster.store.revision).toBe(revision);
    expect(cluster.get("Widget", "default", "a")).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it("what is answered cannot be changed", () => {
    const created = cluster.create(widget("a", { size: "large" }));
    expect(() => Object.assign(created, { spec: "changed" })).toThrow(TypeError);
    expect(() => Object.assign(created.metadata, { name: "b" })).toThrow(TypeError);
    expect(cluster.get("Widget", "default", "a")?.spec).toEqual({ size: "large" });
  });
});

describe("listeners", () => {
  it("hear every change once, in order, also those that listeners cause", () => {
    cluster.watch("Widget", ({ type, object }) => {
      if (type === "ADDED") cluster.create(configMap(`for-${object.metadata.name}`));
    });
    const seen = record(cluster);
    cluster.store.transaction(() => {
      cluster.create(widget("a"));
      cluster.create(widget("b"));
    });
    expect(seen).toEqual([
      "ADDED Widget a",
      "ADDED Widget b",
      "ADDED ConfigMap for-a",
      "ADDED ConfigMap for-b",
    ]);
  });

  it("hear nothing once they have unsubscribed", () => {
    const seen: string[] = [];
    const stop = cluster.watch("Widget", ({ type }) => seen.push(type));
    cluster.create(widget("a"));
    stop();
    cluster.delete("Widget", "default", "a");
    expect(seen).toEqual(["ADDED"]);
  });
});

describe("writes", () => {
  it("generation counts changes of what is desired, not of metadata or status", () => {
    cluster.create(widget("a"));
    const generation = () => cluster.get("Widget", "default", "a")?.metadata.generation;
    cluster.patchStatus("Widget", "default", "a", () => ({ phase: "Ready" }));
    cluster.mutate("Widget", "default", "a", (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { x: "1" } },
    }));
    expect(generation()).toBe(1);
    cluster.mutate("Widget", "default", "a", (object) => ({ ...object, spec: { size: "large" } }));
    expect(generation()).toBe(2);
  });

  it("a write without a difference leaves the resourceVersion and tells nobody", () => {
    const created = cluster.create(widget("a"));
    const seen = record(cluster);
    expect(cluster.update(created)).toEqual(created);
    cluster.mutate("Widget", "default", "a", (object) => object);
    cluster.patchStatus("Widget", "default", "a", () => ({ phase: "Ready" }));
    cluster.patchStatus("Widget", "default", "a", () => ({ phase: "Ready" }));
    expect(seen).toEqual(["MODIFIED Widget a"]);
  });

  it("the same random numbers give the same names and uids", () => {
    const create = () => {
      let calls = 0;
      const random = () => (calls++ % 97) / 97;
      const seeded = openCluster(undefined, "hub-1", random).cluster;
      const { name, uid } = seeded.create(widget("", {}, { generateName: "a-" })).metadata;
      return { name, uid };
    };
    expect(create()).toEqual(create());
    expect(create().name).toMatch(/^a-[b-z2-9]{5}$/);
  });
});

describe("deletion", () => {
  it("waits for finalizers, takes no new ones, and ends with the last one", () => {
    cluster.create(widget("a", {}, { finalizers: ["example.com/one"] }));
    const marked = cluster.delete("Widget", "default", "a");
    expect(marked.metadata).toMatchObject({
      deletionTimestamp: "2030-01-01T00:00:00Z",
      generation: 2,
    });
    const { revision } = cluster.store;
    expect(cluster.delete("Widget", "default", "a")).toEqual(marked);
    expect(cluster.store.revision).toBe(revision);

    const addOne = () =>
      cluster.patch("Widget", "default", "a", (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: ["example.com/one", "example.com/two"] },
      }));
    expect(addOne).toThrow(/no new finalizers can be added if the object is being deleted/);

    const seen = record(cluster);
    cluster.mutate("Widget", "default", "a", (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    expect(cluster.get("Widget", "default", "a")).toBeUndefined();
    expect(seen).toEqual(["DELETED Widget a"]);
  });

  it("takes along what only the deleted object owned, however deep", () => {
    const owner = cluster.create(widget("owner"));
    const other = cluster.create(widget("other"));
    const child = cluster.create(configMap("child", ownedBy(owner)));
    cluster.create(configMap("grandchild", ownedBy(child)));
    cluster.create(configMap("shared", ownedBy(owner, other)));
    cluster.delete("Widget", "default", "owner");
    const left = cluster.list("ConfigMap");
    expect(left.map(({ metadata }) => metadata.name)).toEqual(["shared"]);
    expect(left[0]?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["other"]);
  });

  it("orphans dependents when asked", () => {
    const owner = cluster.create(widget("owner"));
    cluster.create(configMap("child", ownedBy(owner)));
    cluster.delete("Widget", "default", "owner", { propagationPolicy: "Orphan" });
    expect(cluster.get("ConfigMap", "default", "child")?.metadata.ownerReferences).toBeUndefined();
  });

  it("in the foreground the owner goes after its dependents", () => {
    const owner = cluster.create(widget("owner"));
    cluster.create(configMap("child", { ...ownedBy(owner), finalizers: ["example.com/wait"] }));
    cluster.delete("Widget", "default", "owner", { propagationPolicy: "Foreground" });
    expect(cluster.get("Widget", "default", "owner")?.metadata.finalizers).toEqual([
      "foregroundDeletion",
    ]);
    cluster.mutate("ConfigMap", "default", "child", (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    expect(cluster.get("Widget", "default", "owner")).toBeUndefined();
  });

  it("a new object whose owner is gone does not stay", () => {
    const owner = cluster.create(widget("owner"));
    cluster.delete("Widget", "default", "owner");
    cluster.create(configMap("late", ownedBy(owner)));
    expect(cluster.get("ConfigMap", "default", "late")).toBeUndefined();
  });

  it("with another uid is a conflict", () => {
    cluster.create(widget("a"));
    expect(() => cluster.delete("Widget", "default", "a", { uid: "other" })).toThrow(
      expect.objectContaining({ code: 409 }),
    );
  });
});

describe("namespaces", () => {
  beforeEach(() => {
    cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "tenant" } });
  });

  it("take their objects along", () => {
    cluster.create(configMap("a", { namespace: "tenant" }));
    const seen = record(cluster);
    const answer = cluster.delete("Namespace", undefined, "tenant");
    expect(answer.status).toEqual({ phase: "Terminating" });
    expect(seen).toEqual([
      "MODIFIED Namespace tenant",
      "DELETED ConfigMap a",
      "DELETED Namespace tenant",
    ]);
  });

  it("stay Terminating, and closed to new objects, while a finalizer holds one", () => {
    cluster.create(widget("held", {}, { namespace: "tenant", finalizers: ["example.com/x"] }));
    cluster.delete("Namespace", undefined, "tenant");
    expect(cluster.get("Namespace", undefined, "tenant")?.status).toEqual({ phase: "Terminating" });
    expect(() => cluster.create(configMap("new", { namespace: "tenant" }))).toThrow(
      expect.objectContaining({
        code: 403,
        message:
          'configmaps "new" is forbidden: unable to create new content in namespace tenant because it is being terminated',
      }),
    );
    cluster.mutate("Widget", "tenant", "held", (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    expect(cluster.get("Namespace", undefined, "tenant")).toBeUndefined();
  });

  it("have to exist before their objects", () => {
    expect(() => cluster.create(configMap("a", { namespace: "nowhere" }))).toThrow(
      expect.objectContaining({ code: 404, message: 'namespaces "nowhere" not found' }),
    );
  });
});
