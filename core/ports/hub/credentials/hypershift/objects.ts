import { createHash } from "node:crypto";
import { apiVersionOf, type CustomKind, type ObjectName } from "../../../kubernetes/kube-object.ts";
import { tenantLabel } from "../../../owner.ts";
import type {
  Revocation,
  SigningApproval,
  SigningRequest,
} from "../../clusters/hypershift/schema.ts";
import { clusterLabel } from "../../clusters/labels.ts";
import type { Names } from "../../clusters/port.ts";
import { type CredentialRequest, credentialLifetime, type IssuedCredential } from "../port.ts";

/** The objects of short-lived credentials on a hub. Pure. */

const group = "certificates.hypershift.openshift.io";
const version = "v1alpha1";
export const signingRequests: CustomKind = {
  ...{ group: "certificates.k8s.io", version: "v1" },
  ...{ kind: "CertificateSigningRequest", plural: "certificatesigningrequests" },
};
export const approvals: CustomKind = {
  ...{ group, version },
  ...{ kind: "CertificateSigningRequestApproval", plural: "certificatesigningrequestapprovals" },
};
export const revocations: CustomKind = {
  ...{ group, version },
  ...{ kind: "CertificateRevocationRequest", plural: "certificaterevocationrequests" },
};
const signerClass = "customer-break-glass";

/** The note about a certificate. */
export type Note = Pick<
  IssuedCredential,
  "serial" | "user" | "issue_timestamp" | "expiration_timestamp"
>;

/** The same request has the same name, however its PEM is laid out. */
export const nameOf = ({ cluster, hostedCluster }: Names, bytes: Buffer): string => {
  const digest = createHash("sha256").update(`${cluster}\n`).update(bytes).digest("hex");
  return `slipway-${hostedCluster}-${digest.slice(0, 20)}`;
};

const labelsOf = ({ cluster }: Names, tenant: string) => ({
  [clusterLabel]: cluster,
  [tenantLabel]: tenant,
});

export const requestNamed = (name: string): ObjectName => ({
  apiVersion: apiVersionOf(signingRequests),
  kind: signingRequests.kind,
  metadata: { name },
});

export const requestOf = (
  names: Names,
  name: string,
  { tenant }: CredentialRequest,
  bytes: Buffer,
): SigningRequest => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name, labels: labelsOf(names, tenant) },
  spec: {
    request: pem("CERTIFICATE REQUEST", bytes).toString("base64"),
    signerName: `hypershift.openshift.io/${names.controlPlaneNamespace}.${signerClass}`,
    expirationSeconds: credentialLifetime,
    usages: ["client auth"],
  },
});

export const approvalNamed = ({ controlPlaneNamespace }: Names, name: string): ObjectName => ({
  apiVersion: apiVersionOf(approvals),
  kind: approvals.kind,
  metadata: { name, namespace: controlPlaneNamespace },
});

export const approvalOf = (
  names: Names,
  name: string,
  { tenant, user }: CredentialRequest,
  note?: Note,
): SigningApproval => ({
  apiVersion: `${group}/${version}`,
  kind: "CertificateSigningRequestApproval",
  metadata: {
    name,
    namespace: names.controlPlaneNamespace,
    labels: labelsOf(names, tenant),
    annotations: {
      "slipway.dev/user": user,
      ...(note && {
        "slipway.dev/serial": note.serial,
        "slipway.dev/issued": note.issue_timestamp,
        "slipway.dev/expires": note.expiration_timestamp,
      }),
    },
  },
  spec: {},
});

export const revocationOf = (names: Names, tenant: string, number: number): Revocation => ({
  apiVersion: `${group}/${version}`,
  kind: "CertificateRevocationRequest",
  metadata: {
    name: `slipway-${number}`,
    namespace: names.controlPlaneNamespace,
    labels: labelsOf(names, tenant),
  },
  spec: { signerClass },
});

function pem(label: string, bytes: Buffer): Buffer {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return Buffer.from(`-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`);
}
