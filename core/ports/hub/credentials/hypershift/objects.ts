import { createHash } from "node:crypto";
import { apiVersionOf, type CustomKind, type ObjectName } from "../../../kubernetes/kube-object.ts";
import { type Owner, ownerLabel, tenantLabel } from "../../../owner.ts";
import { controlPlaneNamespaceOf } from "../../clusters/hypershift/named.ts";
import { type CredentialRequest, credentialLifetime, type IssuedCredential } from "../port.ts";
import type { RevocationObject, SigningApproval, SigningRequest } from "./schema.ts";

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

/** Slipway's note about a certificate. */
export type Note = Pick<
  IssuedCredential,
  "serial" | "user" | "issue_timestamp" | "expiration_timestamp"
>;

/** The name of a request's objects: equal for equal requests, however their PEM is formatted. */
export const credentialNameOf = ({ id, name }: Owner, bytes: Buffer): string => {
  const digest = createHash("sha256").update(`${id}\n`).update(bytes).digest("hex");
  return `slipway-${name}-${digest.slice(0, 20)}`;
};

const labelsOf = ({ kind, id, tenant }: Owner) => ({
  [ownerLabel(kind)]: id,
  [tenantLabel]: tenant,
});

export const requestNamed = (name: string): ObjectName => ({
  apiVersion: apiVersionOf(signingRequests),
  kind: signingRequests.kind,
  metadata: { name },
});

export const requestOf = (owner: Owner, name: string, bytes: Buffer): SigningRequest => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name, labels: labelsOf(owner) },
  spec: {
    request: pem("CERTIFICATE REQUEST", bytes).toString("base64"),
    signerName: `hypershift.openshift.io/${controlPlaneNamespaceOf(owner)}.${signerClass}`,
    expirationSeconds: credentialLifetime,
    usages: ["client auth"],
  },
});

export const approvalNamed = (owner: Owner, name: string): ObjectName => ({
  apiVersion: apiVersionOf(approvals),
  kind: approvals.kind,
  metadata: { name, namespace: controlPlaneNamespaceOf(owner) },
});

export const approvalOf = (
  owner: Owner,
  name: string,
  { user }: CredentialRequest,
  note?: Note,
): SigningApproval => ({
  apiVersion: `${group}/${version}`,
  kind: "CertificateSigningRequestApproval",
  metadata: {
    name,
    namespace: controlPlaneNamespaceOf(owner),
    labels: labelsOf(owner),
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

export const revocationOf = (owner: Owner, number: number): RevocationObject => ({
  apiVersion: `${group}/${version}`,
  kind: "CertificateRevocationRequest",
  metadata: {
    name: `slipway-${number}`,
    namespace: controlPlaneNamespaceOf(owner),
    labels: labelsOf(owner),
  },
  spec: { signerClass },
});

function pem(label: string, bytes: Buffer): Buffer {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return Buffer.from(`-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`);
}
