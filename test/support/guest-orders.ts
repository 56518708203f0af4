import type { Manifest, OperatorRequest, RbdStorage } from "../../core/ports/guest/guest.ts";

/** What tests put into a hosted cluster. */

export const rbdStorage = (changes: Partial<RbdStorage> = {}): RbdStorage => ({
  clusterId: "ceph-1",
  monitors: ["10.9.0.1:6789"],
  pool: "volumes",
  namespace: "abcdefghij",
  user: "slipway-abcdefghij",
  key: "c2VjcmV0LWtleQ==",
  storageClass: "ceph-rbd",
  isDefault: true,
  reclaimPolicy: "Delete",
  filesystem: "ext4",
  ...changes,
});

export const operatorRequest = (changes: Partial<OperatorRequest> = {}): OperatorRequest => ({
  package: "nfd",
  channel: "stable",
  source: "redhat-operators",
  namespace: "openshift-nfd",
  ownNamespace: true,
  ...changes,
});

export const configMap = (name: string, rest: object = {}): Manifest => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { key: "value" },
  ...rest,
});

export const job = (name: string, command: string[], spec: object = {}): Manifest => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: {
    backoffLimit: 1,
    ...spec,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "test", image: "registry.example.com/smoke:1", command }],
      },
    },
  },
});

export const deployment = (name: string, image: string, spec: object = {}): Manifest => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "test", image }] },
    },
    ...spec,
  },
});
