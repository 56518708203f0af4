import { describe, expect, it } from "vitest";
import {
  certificateUse,
  ingressObjects,
  metalLbOperator,
  operatorObjects,
  storageObjects,
} from "../../../../../core/ports/guest/kubernetes/objects.ts";
import {
  ingressControllerSchema,
  operatorGroupSchema,
  storageClassSchema,
  subscriptionSchema,
} from "../../../../../core/ports/guest/kubernetes/schema.ts";
import {
  addressPoolSchema,
  l2AdvertisementSchema,
  metalLbSchema,
} from "../../../../../core/ports/kubernetes/metallb.ts";
import { rbdStorage } from "../../../../support/guest-orders.ts";
import { loadSchemas, violations } from "../../../../support/structural-schema.ts";

const schemas = {
  IPAddressPool: addressPoolSchema,
  IngressController: ingressControllerSchema,
  L2Advertisement: l2AdvertisementSchema,
  MetalLB: metalLbSchema,
  OperatorGroup: operatorGroupSchema,
  StorageClass: storageClassSchema,
  Subscription: subscriptionSchema,
};

const all = () => [
  ...operatorObjects(metalLbOperator),
  ...operatorObjects({ ...metalLbOperator, ownNamespace: true }),
  ...ingressObjects({ address: "10.20.0.5" }),
  ...storageObjects(rbdStorage()),
  certificateUse(),
];

it("every custom object is what its own schema says", () => {
  const parsed = all().flatMap((object) => {
    const schema = Object.entries(schemas).find(([kind]) => kind === object.kind)?.[1];
    return schema ? [schema.parse(object).kind] : [];
  });
  expect(new Set(parsed)).toEqual(new Set(Object.keys(schemas)));
});

it("an operator in the cluster's common namespace joins the group that is there", () => {
  const common = { ...metalLbOperator, namespace: "openshift-operators" };
  expect(operatorObjects(common).map(({ kind }) => kind)).toEqual(["Subscription"]);
  expect(operatorObjects(metalLbOperator).map(({ kind }) => kind)).toEqual([
    "Namespace",
    "OperatorGroup",
    "Subscription",
  ]);
});

it("the address is the router's alone: its pool holds nothing else and gives nothing by itself", () => {
  const objects = ingressObjects({ address: "10.20.0.5" });
  const pool = objects.find(({ kind }) => kind === "IPAddressPool");
  expect(pool).toMatchObject({ spec: { addresses: ["10.20.0.5-10.20.0.5"], autoAssign: false } });
  expect(objects.find(({ kind }) => kind === "Service")).toMatchObject({
    metadata: { annotations: { "metallb.io/address-pool": pool?.metadata.name } },
  });
});

it("the storage class finds its Secret and its share of the pool", () => {
  const objects = storageObjects(rbdStorage());
  const secret = objects.find(({ kind }) => kind === "Secret");
  expect(objects.find(({ kind }) => kind === "StorageClass")).toMatchObject({
    provisioner: "rbd.csi.ceph.com",
    parameters: {
      clusterID: "ceph-1",
      pool: "volumes",
      "csi.storage.k8s.io/node-stage-secret-name": secret?.metadata.name,
      "csi.storage.k8s.io/node-stage-secret-namespace": secret?.metadata.namespace,
    },
  });
  const config = objects.find(({ kind }) => kind === "ConfigMap") as { data?: object } | undefined;
  expect(config?.data).toEqual({
    "config.json":
      '[{"clusterID":"ceph-1","monitors":["10.9.0.1:6789"],"rbd":{"radosNamespace":"abcdefghij"}}]',
  });
});

describe("against the real definitions", () => {
  const known = loadSchemas();
  if (known.size === 0) console.log("skipped: CRD_DIR is not set");
  it.skipIf(known.size === 0)("objects of MetalLB are taken", () => {
    const checked = all().flatMap((object) => {
      const schema = known.get(`${object.apiVersion}/${object.kind}`);
      return schema ? [[object.kind, violations(schema, object)]] : [];
    });
    expect(Object.fromEntries(checked)).toEqual({ IPAddressPool: [], L2Advertisement: [] });
  });
});
