import { expect, it } from "vitest";
import {
  onFailure,
  operatorsOf,
  renderedManifests,
  storageOf,
  validationOf,
} from "../../../../../core/resources/cluster-template/content/render.ts";
import type { TemplateContent } from "../../../../../core/resources/cluster-template/model.ts";

const bare: TemplateContent = { node_sets: {} };

it("gives manifests in their order, with the order's values in them", () => {
  const quota = (name: string) => ({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name, namespace: "demo" },
    spec: { hard: { pods: { $parameter: "pods" } } },
  });
  const content = { ...bare, manifests: [quota("b"), quota("a")] };
  const found = renderedManifests(content, { pods: 7 });
  expect(found.map(({ metadata }) => metadata.name)).toEqual(["b", "a"]);
  expect(found[0]).toEqual({ ...quota("b"), spec: { hard: { pods: 7 } } });
  // The revision is shared by all its orders.
  expect(content.manifests[0]).toEqual(quota("b"));
});

it("fills in what a template leaves unsaid", () => {
  expect(renderedManifests(bare, {})).toEqual([]);
  expect(validationOf(bare, {})).toBeUndefined();
  expect(storageOf(bare)).toBeUndefined();
  expect(onFailure(bare)).toBe("unwind");
  expect(storageOf({ ...bare, storage: {} })).toEqual({
    storageClass: "ceph-rbd",
    isDefault: true,
    reclaimPolicy: "Delete",
    filesystem: "ext4",
  });
  const operators = [{ package: "nfd", channel: { $parameter: "channel" }, namespace: "nfd" }];
  expect(operatorsOf({ ...bare, operators }, { channel: "beta" })).toEqual([
    {
      package: "nfd",
      channel: "beta",
      namespace: "nfd",
      source: "redhat-operators",
      ownNamespace: false,
    },
  ]);
});

it("keeps what a template says", () => {
  const storage = {
    storage_class: "fast",
    is_default: false,
    reclaim_policy: "Retain",
    filesystem: "xfs",
  } as const;
  expect(storageOf({ ...bare, storage })).toEqual({
    storageClass: "fast",
    isDefault: false,
    reclaimPolicy: "Retain",
    filesystem: "xfs",
  });
  expect(onFailure({ ...bare, on_failure: "hold" })).toBe("hold");
});

it("gives the test workload with the order's values in it", () => {
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "j" },
    spec: { backoffLimit: { $parameter: "tries" } },
  };
  const content = { ...bare, validation: { timeout_minutes: 5, workload: [job] } };
  expect(validationOf(content, { tries: 2 })).toEqual({
    timeoutMinutes: 5,
    workload: [{ ...job, spec: { backoffLimit: 2 } }],
  });
});
