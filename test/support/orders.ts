import { mustLoad } from "../../core/kernel/object/records.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { createObject } from "../../core/kernel/request/crud.ts";
import { clusterTemplates } from "../../core/resources/cluster-template/api.ts";
import { clusterVersions } from "../../core/resources/cluster-version/api.ts";
import { hostTypes } from "../../core/resources/host-type/api.ts";
import { createCluster } from "./clusters.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { addFleet } from "./fleet.ts";

/** Orders without HTTP. */

export const root: Caller = { user: "root", tenant: "shared", everywhere: true };
export const ann: Caller = { user: "ann", tenant: "tenant-a", everywhere: false };

export async function depsWithCatalog(
  deps = testDeps(),
  hosts: Record<string, number> = { small: 1000 },
): Promise<TestDeps> {
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
  await addFleet(deps, hosts);
  return deps;
}

/** An accepted cluster with its create operation. */
export async function ordered(deps: TestDeps, name = "one") {
  const { object } = await createCluster(deps, ann, {
    metadata: { name },
    spec: { template: "t1" },
  });
  const operation = await mustLoad(deps, "operation", object.operation ?? "");
  return { cluster: object, operation };
}

/** A public key that is one, of whoever the comment says. */
export const sshKey = (comment: string): string =>
  `ssh-ed25519 ${Buffer.from(`\0\0\0\u000bssh-ed25519\0\0\0 ${"k".repeat(32)}`).toString("base64")} ${comment}`;
