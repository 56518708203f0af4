import type { ObjectName } from "../../kubernetes/kube-object.ts";
import type { AddressPool, L2Advertisement, MetalLb } from "../../kubernetes/metallb.ts";
import type { Certificate, Ingress, OperatorRequest, RbdStorage } from "../guest.ts";
import type { IngressController, OperatorGroup, StorageClass, Subscription } from "./schema.ts";

/** The objects that Slipway creates in a hosted cluster. Pure: the same input gives the same objects. */

/** Labels for people who use the cluster. */
const labels = { "app.kubernetes.io/managed-by": "slipway" };

const namespace = (name: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});

const inNamespace = (space: string, name: string) => ({ name, namespace: space, labels });

/* Operators */

/**
 * This namespace has an OperatorGroup for all namespaces by default; a second one would stop every operator
 * in it.
 */
const globalNamespace = "openshift-operators";

/** The objects in the order in which they are applied. */
export function operatorObjects(operator: OperatorRequest): ObjectName[] {
  const home = operator.namespace;
  const group: OperatorGroup = {
    apiVersion: "operators.coreos.com/v1",
    kind: "OperatorGroup",
    // A namespace has one OperatorGroup for all its operators.
    metadata: inNamespace(home, home),
    spec: operator.ownNamespace ? { targetNamespaces: [home] } : {},
  };
  const prepared = home === globalNamespace ? [] : [namespace(home), group];
  return [...prepared, subscriptionTo(operator)];
}

export const subscriptionTo = (operator: OperatorRequest): Subscription => ({
  apiVersion: "operators.coreos.com/v1alpha1",
  kind: "Subscription",
  metadata: inNamespace(operator.namespace, operator.package),
  spec: {
    name: operator.package,
    channel: operator.channel,
    source: operator.source,
    sourceNamespace: "openshift-marketplace",
    installPlanApproval: "Automatic",
  },
});

/* Ingress */

const metalLbNamespace = "metallb-system";
const routerNamespace = "openshift-ingress";

export const metalLbOperator: OperatorRequest = {
  package: "metallb-operator",
  channel: "stable",
  source: "redhat-operators",
  namespace: metalLbNamespace,
};

const poolName = "slipway-ingress";

export const routerService: ObjectName = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "external-ingress", namespace: routerNamespace },
};

/** The objects to apply once the MetalLB operator is installed, in order. */
export function ingressObjects({ address }: Ingress): ObjectName[] {
  const metalLb: MetalLb = {
    apiVersion: "metallb.io/v1beta1",
    kind: "MetalLB",
    metadata: inNamespace(metalLbNamespace, "metallb"),
    spec: {},
  };
  const pool: AddressPool = {
    apiVersion: "metallb.io/v1beta1",
    kind: "IPAddressPool",
    metadata: inNamespace(metalLbNamespace, poolName),
    // The address is for the router: no other Service may get it.
    spec: { addresses: [`${address}-${address}`], autoAssign: false },
  };
  const advertisement: L2Advertisement = {
    apiVersion: "metallb.io/v1beta1",
    kind: "L2Advertisement",
    metadata: inNamespace(metalLbNamespace, poolName),
    spec: { ipAddressPools: [poolName] },
  };
  const { apiVersion, kind, metadata } = routerService;
  const service = {
    apiVersion,
    kind,
    metadata: { ...metadata, labels, annotations: { "metallb.io/address-pool": poolName } },
    spec: {
      type: "LoadBalancer",
      selector: {
        "ingresscontroller.operator.openshift.io/deployment-ingresscontroller": "default",
      },
      ports: [
        { name: "http", protocol: "TCP", port: 80, targetPort: "http" },
        { name: "https", protocol: "TCP", port: 443, targetPort: "https" },
      ],
    },
  };
  return [metalLb, pool, advertisement, service];
}

/**
 * HyperShift creates the IngressController once and does not change it later (docs/reference/hub.md §2.11).
 */
export const ingressController: ObjectName = {
  apiVersion: "operator.openshift.io/v1",
  kind: "IngressController",
  metadata: { name: "default", namespace: "openshift-ingress-operator" },
};

const certificateName = "slipway-ingress-certificate";
/** The router's certificates that are not the cluster administrators' choice: Slipway's and HyperShift's. */
export const ourCertificates: readonly string[] = [certificateName, "default-ingress-cert"];

export function certificateSecret({ chain, key }: Certificate) {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: inNamespace(routerNamespace, certificateName),
    type: "kubernetes.io/tls",
    data: { "tls.crt": base64(chain), "tls.key": base64(key) },
  };
}

export function certificateUse(): IngressController {
  const { name, namespace: space = "" } = ingressController.metadata;
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "IngressController",
    // Not our object, so it gets no label.
    metadata: { name, namespace: space },
    spec: { defaultCertificate: { name: certificateName } },
  };
}

/* Storage */

const storageNamespace = "ceph-csi-rbd";
const storageSecret = "csi-rbd-secret";

/**
 * The configuration of ceph-csi's RBD driver: the Ceph cluster's address, the credentials, and the storage
 * class. The template brings the driver itself.
 */
export function storageObjects(storage: RbdStorage): ObjectName[] {
  const { clusterId, monitors, pool, user, key } = storage;
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: inNamespace(storageNamespace, storageSecret),
    type: "Opaque",
    data: { userID: base64(user), userKey: base64(key) },
  };
  const share = [{ clusterID: clusterId, monitors, rbd: { radosNamespace: storage.namespace } }];
  const config = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: inNamespace(storageNamespace, "ceph-csi-config"),
    data: { "config.json": JSON.stringify(share) },
  };
  const uses = ["provisioner", "controller-expand", "node-stage"].flatMap((use) => [
    [`csi.storage.k8s.io/${use}-secret-name`, storageSecret],
    [`csi.storage.k8s.io/${use}-secret-namespace`, storageNamespace],
  ]);
  const storageClass: StorageClass = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: storage.storageClass,
      labels,
      annotations: { "storageclass.kubernetes.io/is-default-class": String(storage.isDefault) },
    },
    provisioner: "rbd.csi.ceph.com",
    parameters: {
      clusterID: clusterId,
      pool,
      imageFeatures: "layering",
      "csi.storage.k8s.io/fstype": storage.filesystem,
      ...Object.fromEntries(uses),
    },
    reclaimPolicy: storage.reclaimPolicy,
    allowVolumeExpansion: true,
    volumeBindingMode: "Immediate",
  };
  return [namespace(storageNamespace), secret, config, storageClass];
}

/* The test workload */

/** The namespace of the whole test workload, which is removed with it. */
export const testNamespace = namespace("slipway-validation");

const base64 = (text: string): string => Buffer.from(text).toString("base64");
