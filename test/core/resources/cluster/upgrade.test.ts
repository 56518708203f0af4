import { beforeEach, describe, expect, it } from "vitest";
import type { OperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { createObject, deleteObject } from "../../../../core/kernel/request/crud.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { openUpgrades } from "../../../../core/resources/cluster/upgrade-path.ts";
import { clusterVersions } from "../../../../core/resources/cluster-version/api.ts";
import { retryCluster } from "../../../support/actions.ts";
import { updateCluster } from "../../../support/clusters.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { ann, depsWithCatalog, ordered, root } from "../../../support/orders.ts";
import { wanted } from "../../../support/wanted.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await depsWithCatalog();
});

// A tag has no plus.
const image = (version: string) => `quay.io/ocp:${version.replace("+", "_")}`;

async function addVersion(version: string, more: object = {}): Promise<void> {
  await createObject(deps, root, clusterVersions, {
    metadata: { name: version.replaceAll(".", "-") },
    spec: { version, image: image(version), ...more },
  });
}

/** A cluster at 4.17.0, READY and at rest, with what is changed about it. */
async function readyCluster(change: Partial<Cluster> = {}): Promise<Cluster> {
  const { cluster } = await ordered(deps);
  await changeObject(deps, "cluster", cluster.id, ({ operation: _, applying, ...rest }) => ({
    ...rest,
    applied: applying ?? {},
    published: true,
    ...change,
  }));
  return mustLoad(deps, "cluster", cluster.id);
}

const upgrade = ({ id }: Cluster, version: string, more: object = {}) =>
  updateCluster(
    deps,
    ann,
    id,
    wanted((current) => ({
      ...current,
      spec: { ...Object(current.spec), ...more, version },
    })),
  );

describe("a way to another version", () => {
  it.each(["4.17.9", "4.18.2"])("is open from 4.17.0 to %s", async (version) => {
    await addVersion(version);
    const before = await readyCluster();
    const { object, operation } = await upgrade(before, version.replaceAll(".", "-"));
    const name = version.replaceAll(".", "-");
    expect(object).toMatchObject({
      generation: before.generation + 1,
      operation,
      // Nothing runs it yet.
      release: { version: "4.17.0" },
      upgrade: {
        from: { version: { name: "4-17-0" }, release: before.release },
        to: { version, image: image(version) },
      },
      spec: { version: { name } },
    });
    expect(await mustLoad(deps, "operation", operation as OperationId)).toMatchObject({
      spec: { saga: "cluster-upgrade", change: "UPDATE" },
    });
  });

  it.each<[string, object, string]>([
    ["4.16.9", {}, "a cluster cannot be downgraded from 4.17.0 to 4.16.9"],
    ["4.17.0-rc.1", {}, "a cluster cannot be downgraded from 4.17.0 to 4.17.0-rc.1"],
    ["4.17.0+again", {}, "the cluster already runs 4.17.0"],
    ["4.19.0", {}, "to a later patch or to the next minor version, not to 4.19.0"],
    ["5.0.0", {}, "to a later patch or to the next minor version, not to 5.0.0"],
    ["4.18.1", { enabled: false }, "can't be upgraded to any more"],
    ["4.18.1", { state: "CLUSTER_VERSION_STATE_OBSOLETE" }, "can't be upgraded to any more"],
    ["4.18.1", { upgrades_from: ["4.17.5"] }, "only from 4.17.5"],
  ])("is closed to %s %j", async (version, more, message) => {
    await createObject(deps, root, clusterVersions, {
      id: "target",
      metadata: { name: "target" },
      spec: { version, image: image(version), ...more },
    });
    const before = await readyCluster();
    await expect(upgrade(before, "target")).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ field: "spec.version", message: expect.stringContaining(message) }],
    });
    expect(await mustLoad(deps, "cluster", before.id)).toEqual(before);
  });

  it("is listed as long as it is open, the lowest first", async () => {
    for (const version of ["4.18.10", "4.18.9", "4.17.1", "4.16.9", "4.19.0"])
      await addVersion(version);
    await addVersion("4.18.1", { enabled: false });
    const open = await openUpgrades(deps, await readyCluster());
    expect(open.map(({ spec }) => spec.version)).toEqual(["4.17.1", "4.18.9", "4.18.10"]);
  });

  it("is open where the version says from where", async () => {
    await addVersion("4.18.1", { upgrades_from: ["4.17.0"] });
    expect((await upgrade(await readyCluster(), "4-18-1")).operation).toBeDefined();
  });

  it("is closed while nodes would be more than two minor versions behind", async () => {
    await addVersion("4.18.1");
    const at = (version: string) => ({ workers: { version, image: image(version) } });
    const far = await readyCluster({ node_set_releases: at("4.15.9") });
    await expect(upgrade(far, "4-18-1")).rejects.toMatchObject({
      violations: [
        {
          field: "spec.version",
          message: expect.stringMatching(/^node set 'workers' is at 4\.15\.9/),
        },
      ],
    });
    await changeObject(deps, "cluster", far.id, (cluster) => ({
      ...cluster,
      node_set_releases: at("4.16.9"),
    }));
    expect((await upgrade(far, "4-18-1")).operation).toBeDefined();
  });
});

describe("an upgrade", () => {
  it("is not asked for together with other node sets", async () => {
    await addVersion("4.18.1");
    const before = await readyCluster();
    const both = upgrade(before, "4-18-1", { node_sets: { workers: { size: 5 } } });
    await expect(both).rejects.toMatchObject({
      violations: [
        { field: "spec.version", message: expect.stringContaining("in separate requests") },
      ],
    });
  });

  it("is refused while an operation runs, and nothing waits in its place", async () => {
    await addVersion("4.17.1");
    await addVersion("4.18.1");
    const before = await readyCluster();
    await upgrade(before, "4-17-1");
    const running = await mustLoad(deps, "cluster", before.id);
    await expect(upgrade(before, "4-18-1")).rejects.toMatchObject({
      kind: "FailedPrecondition",
      message: `field 'spec.version' cannot be changed while operation '${running.operation}' runs`,
    });
    expect(await mustLoad(deps, "cluster", before.id)).toEqual(running);
  });

  it("needs nodes until it has ended", async () => {
    await addVersion("4.18.1");
    const before = await readyCluster();
    await upgrade(before, "4-18-1");
    const empty = { node_sets: { workers: { size: 0 } } };
    await expect(upgrade(before, "4-18-1", empty)).rejects.toMatchObject({
      violations: [
        {
          field: "spec.node_sets",
          message: "the upgrade to 4.18.1 needs at least one node until it has ended",
        },
      ],
    });
  });

  it("is refused of a cluster without nodes", async () => {
    await addVersion("4.18.1");
    const before = await readyCluster();
    await changeObject(deps, "cluster", before.id, ({ spec, ...cluster }) => {
      const sets = Object.entries(spec.node_sets);
      const empty = sets.map(([name, set]) => [name, { ...set, size: 0 }] as const);
      return { ...cluster, spec: { ...spec, node_sets: Object.fromEntries(empty) } };
    });
    await expect(upgrade(before, "4-18-1")).rejects.toMatchObject({
      violations: [
        {
          field: "spec.version",
          message: "an upgrade needs at least one node: give the cluster nodes first",
        },
      ],
    });
  });

  it("cannot lose the version that it may go back to", async () => {
    await addVersion("4.18.1");
    await createObject(deps, root, clusterVersions, {
      metadata: { name: "4-17-8" },
      spec: { version: "4.17.8", image: image("4.17.8") },
    });
    const before = await readyCluster();
    await upgrade(before, "4-18-1");
    for (const name of ["4-17-0", "4-18-1"]) {
      const { id } = await mustLoad(deps, "cluster_version", name);
      await expect(deleteObject(deps, root, clusterVersions, id)).rejects.toMatchObject({
        kind: "FailedPrecondition",
      });
    }
  });

  it("that stopped goes on by a retry, to where its control plane is", async () => {
    const behind = { workers: { version: "4.16.9", image: image("4.16.9") } };
    const before = await readyCluster({ node_set_releases: behind });
    expect(before.status.upgrade).toEqual({
      to: "4.17.0",
      state: "UNFINISHED",
      node_sets_behind: ["workers"],
    });
    const { object, operation } = await retryCluster(deps, ann, before.id);
    expect(object).toMatchObject({
      operation,
      upgrade: { from: { release: before.release }, to: before.release },
      spec: before.spec,
    });
    expect(await mustLoad(deps, "operation", operation as OperationId)).toMatchObject({
      spec: { saga: "cluster-upgrade" },
    });
    await expect(retryCluster(deps, ann, before.id)).rejects.toMatchObject({
      kind: "FailedPrecondition",
    });
  });
});
