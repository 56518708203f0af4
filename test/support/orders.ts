import { createObject } from "../../core/catalog/accept.ts";
import { clusterTemplates } from "../../core/catalog/cluster-template.ts";
import { clusterVersions } from "../../core/catalog/cluster-version.ts";
import { hostTypes } from "../../core/catalog/host-type.ts";
import type { Caller } from "../../core/order/caller.ts";
import { createCluster } from "../../core/order/create.ts";
import { mustLoad } from "../../core/store/records.ts";
import { type TestDeps, testDeps } from "./deps.ts";

/** Orders without HTTP. */

export const root: Caller = { user: "root", tenant: "shared", everywhere: true };
export const ann: Caller = { user: "ann", tenant: "tenant-a", everywhere: false };

export async function depsWithCatalog(deps = testDeps()): Promise<TestDeps> {
  await createObject(deps, root, hostTypes, { metadata: { name: "small" } });
  await createObject(deps, root, clusterVersions, {
    metadata: { name: "4-17-0" },
    spec: { version: "4.17.0", image: "quay.io/ocp:4.17.0", is_default: true },
  });
  await createObject(deps, root, clusterTemplates, {
    id: "t1",
    metadata: { name: "t-1" },
    node_sets: { workers: { host_type: "small", size: 2 } },
  });
  return deps;
}

/** An accepted cluster with its create operation. */
export async function ordered(deps: TestDeps, name = "one") {
  const { object } = await createCluster(deps, ann, {
    metadata: { name },
    spec: { template: "t1" },
  });
  const operation = await mustLoad(deps.store, "operation", object.operation ?? "");
  return { cluster: object, operation };
}

/** A public key that is one, of whoever the comment says. */
export const sshKey = (comment: string): string =>
  `ssh-ed25519 ${Buffer.from(`\0\0\0\u000bssh-ed25519\0\0\0 ${"k".repeat(32)}`).toString("base64")} ${comment}`;
