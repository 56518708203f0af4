import { timestamp } from "../../core/clock.ts";
import { asClusterId } from "../../core/id.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { newClusterStatus } from "../../core/resources/cluster/status.ts";

/** A cluster record with nothing behind it. */
export function clusterRecord(now: number, id = "cluster-1"): Cluster {
  return {
    kind: "cluster",
    id: asClusterId(id),
    metadata: {
      name: id,
      tenant: "tenant-a",
      labels: {},
      annotations: {},
      creator: "test",
      creation_timestamp: timestamp(now),
    },
    generation: 0,
    revision: 1,
    spec: {
      template: { id: "t", name: "t" },
      template_parameters: {},
      node_sets: { workers: { host_type: { id: "compute", name: "compute" }, size: 2 } },
      version: { id: "v", name: "v" },
      network: {},
    },
    status: newClusterStatus(now),
    infra_id: "a123456789",
    template_revision: 1,
    release: { version: "4.17.1", image: "quay.io/release:4.17.1" },
    observed: { node_pools: {} },
    published: false,
    event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
  };
}
