import { X509Certificate } from "node:crypto";
import * as z from "zod";
import { type Clock, seconds, sleep, timestamp } from "../../../../clock.ts";
import { AppError } from "../../../../error.ts";
import type { HubApi } from "../../../kubernetes/api.ts";
import type { CustomKind } from "../../../kubernetes/kube-object.ts";
import type { Owner } from "../../../owner.ts";
import { controlPlaneNamespaceOf, labelSelectorOf } from "../../clusters/hypershift/named.ts";
import {
  type Credential,
  type CredentialRequest,
  type Credentials,
  credentialLifetime,
  type Issuance,
  type Revocation,
} from "../port.ts";
import { hostedKubeconfig } from "./kubeconfig.ts";
import {
  approvalNamed,
  approvalOf,
  approvals,
  credentialNameOf,
  type Note,
  requestNamed,
  requestOf,
  revocationOf,
  revocations,
  signingRequests,
} from "./objects.ts";

/**
 * Certificates of HyperShift's customer break-glass signer. It signs a CertificateSigningRequest, which is
 * cluster-scoped on the hub, once an approval of the same name exists in the control plane's namespace. The
 * hub removes the request after an hour; Slipway's notes about the certificate are on the approval, which
 * stays.
 */

/** The pause between two checks for a signature, in milliseconds of real time. */
const pause = 500;
/** The time that a call reserves to write the notes once the certificate is signed. */
const forNotes = seconds(5);

/** `kubeconfig` is the cluster's own, with the URL of its API; `end` is when the caller gives up. */
export async function issueCredential(
  { api, wall, end }: { api: HubApi; wall: Clock; end: number },
  owner: Owner,
  request: CredentialRequest,
  kubeconfig: string,
): Promise<Issuance> {
  const { faultOfSigningRequest, signingRequestBytes } = await signingRequestRules();
  const fault = await faultOfSigningRequest(request.csr, request.user);
  if (fault !== undefined) return { outcome: "invalid", message: fault };
  const bytes = signingRequestBytes(request.csr);
  const name = credentialNameOf(owner, bytes);
  const known = await look(api, owner);
  if (known.isRevoking) return { outcome: "revoking" };
  const before = known.approvals.find(({ metadata }) => metadata.name === name);
  const isThere = (await api.read(requestNamed(name))) !== undefined;
  if (before && (known.isRevoked(before) || (noteOf(before) && !isThere)))
    return { outcome: "spent" };
  if (!before) await api.applyStrictly(approvalOf(owner, name, request));
  if (!isThere) await api.applyStrictly(requestOf(owner, name, bytes));

  const certificate = await signed({ api, wall, end: end - forNotes }, name);
  if (certificate === undefined) return { outcome: "waiting" };
  const note = noteFrom(certificate, request.user);
  await api.applyStrictly(approvalOf(owner, name, request, note));
  // A revocation that was requested during this signing includes the new certificate.
  const after = await look(api, owner);
  const own = after.approvals.find(({ metadata }) => metadata.name === name);
  if (!own || after.isRevoked(own)) return { outcome: "spent" };
  await removeExpired(api, owner, after.approvals, own);
  const credential = {
    ...note,
    certificate,
    kubeconfig: hostedKubeconfig(kubeconfig, certificate),
  };
  return { outcome: "issued", credential };
}

/** The issued certificates, latest first, and the latest revocation. */
export async function listCredentials(api: HubApi, owner: Owner): Promise<Credentials> {
  const { approvals, revocation, isRevoked } = await look(api, owner);
  const items = approvals.flatMap((approval): Credential[] => {
    const note = noteOf(approval);
    if (!note) return [];
    const ended = revocation?.state === "REVOCATION_STATE_REVOKED" ? "REVOKED" : "REVOKING";
    return [{ ...note, state: `CREDENTIAL_STATE_${isRevoked(approval) ? ended : "ISSUED"}` }];
  });
  items.sort((a, b) => (a.issue_timestamp < b.issue_timestamp ? 1 : -1));
  return { items, ...(revocation && { revocation }) };
}

/** Revokes all certificates; answers the revocation in progress, if any. */
export async function revokeCredentials(api: HubApi, owner: Owner): Promise<Revocation> {
  const { isRevoking, revocation, count } = await look(api, owner);
  if (isRevoking && revocation) return revocation;
  // Named by its number, so that two concurrent requests create one revocation.
  await api.applyStrictly(revocationOf(owner, count + 1));
  const made = (await look(api, owner)).revocation;
  if (!made) throw new AppError("Unavailable", "the hub does not show what was asked of it");
  return made;
}

/** Removes the signing requests, which are cluster-scoped and outlive the namespace. */
export async function removeSigningRequests(api: HubApi, owner: Owner): Promise<void> {
  const labelSelector = labelSelectorOf(owner);
  const { items } = await api.list(signingRequests, { labelSelector });
  for (const { metadata } of items) await api.remove(requestNamed(metadata.name));
}

/** Loaded on first use: nothing else here needs the certificate library. */
const signingRequestRules = () => import("./signing-request.ts");

const noted = z.object({
  "slipway.dev/serial": z.string(),
  "slipway.dev/user": z.string(),
  "slipway.dev/issued": z.iso.datetime(),
  "slipway.dev/expires": z.iso.datetime(),
});

const madeSchema = z.object({
  metadata: z.object({
    name: z.string(),
    creationTimestamp: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  status: z
    .object({
      conditions: z.array(z.object({ type: z.string(), status: z.string() })).optional(),
    })
    .optional(),
});
type Made = z.infer<typeof madeSchema>;

interface Look {
  approvals: Made[];
  /** How many revocations there were. */
  count: number;
  /** The latest revocation. */
  revocation: Revocation | undefined;
  isRevoking: boolean;
  /** Whether a revocation includes the certificate. */
  isRevoked(approval: Made): boolean;
}

/** A cluster's certificates and revocations, in the hub's time. */
async function look(api: HubApi, owner: Owner): Promise<Look> {
  const selection = {
    namespace: controlPlaneNamespaceOf(owner),
    labelSelector: labelSelectorOf(owner),
  };
  const list = async (kind: CustomKind) =>
    z.array(madeSchema).parse((await api.list(kind, selection)).items);
  const revoked = (await list(revocations)).toSorted((a, b) => madeAt(b) - madeAt(a));
  const [latest] = revoked;
  return {
    approvals: await list(approvals),
    count: revoked.length,
    revocation: latest && {
      state: `REVOCATION_STATE_${isDone(latest) ? "REVOKED" : "REVOKING"}`,
      request_timestamp: timestamp(madeAt(latest)),
    },
    isRevoking: revoked.some((each) => !isDone(each)),
    isRevoked: (approval) => latest !== undefined && madeAt(approval) <= madeAt(latest),
  };
}

const madeAt = ({ metadata }: Made): number => Date.parse(metadata.creationTimestamp);

const isDone = ({ status }: Made): boolean =>
  status?.conditions?.some(
    (each) => each.type === "PreviousCertificatesRevoked" && each.status === "True",
  ) ?? false;

const statusSchema = z.object({
  certificate: z.base64().optional(),
  conditions: z.array(z.object({ type: z.string() })).optional(),
});

/** The certificate in PEM; undefined if the time runs out. Throws Rejected if it will never be signed. */
async function signed(
  { api, wall, end }: { api: HubApi; wall: Clock; end: number },
  name: string,
): Promise<string | undefined> {
  for (;;) {
    const object = await api.read(requestNamed(name));
    const { certificate, conditions = [] } = statusSchema.parse(object?.status ?? {});
    if (certificate !== undefined) return Buffer.from(certificate, "base64").toString();
    if (conditions.some(({ type }) => type === "Denied" || type === "Failed"))
      throw new AppError("Rejected", "the hub does not sign this");
    if (wall.now() + pause > end) return undefined;
    await sleep(wall, pause);
  }
}

/**
 * Removes the approvals of certificates that expired a day ago or earlier: each expires a day after its
 * request.
 */
async function removeExpired(api: HubApi, owner: Owner, all: Made[], latest: Made): Promise<void> {
  const oldest = madeAt(latest) - seconds(2 * credentialLifetime);
  for (const old of all.filter((each) => madeAt(each) < oldest))
    await api.remove(approvalNamed(owner, old.metadata.name));
}

function noteFrom(certificate: string, user: string): Note {
  const { serialNumber, validFrom, validTo } = new X509Certificate(certificate);
  return {
    serial: serialNumber,
    user,
    issue_timestamp: timestamp(Date.parse(validFrom)),
    expiration_timestamp: timestamp(Date.parse(validTo)),
  };
}

function noteOf({ metadata }: Made): Note | undefined {
  const { data } = noted.safeParse(metadata.annotations);
  return (
    data && {
      serial: data["slipway.dev/serial"],
      user: data["slipway.dev/user"],
      issue_timestamp: data["slipway.dev/issued"],
      expiration_timestamp: data["slipway.dev/expires"],
    }
  );
}
