import { seconds } from "../../core/clock.ts";
import { durations } from "../durations.ts";
import { type KeyPair, makeAuthority, signClientRequest } from "../kubernetes/certificates.ts";
import type { KubeCluster, KubeInput, KubeObject } from "../kubernetes/cluster.ts";
import { conditionsOf, type KubeCondition, kubeTime } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import type { HubWorld } from "./hub.ts";
import { read } from "./objects.ts";

/**
 * HyperShift's operator of a control plane's certificates for customers: signs approved requests, and revokes
 * certificates by replacing the trusted authority.
 */

interface SigningRequest extends KubeObject {
  spec: { request: string; signerName: string; expirationSeconds?: number };
  status?: { conditions?: { type: string }[]; certificate?: string };
}

interface RevocationRequest extends KubeObject {
  status?: { revocationTimestamp?: string; conditions?: KubeCondition[] };
}

const signerName = "customer-system-admin-signer";
const trustName = `${signerName}-ca`;
/** How long ago a certificate's validity begins, in seconds, since clocks differ. */
const backdated = 5 * 60;
/** The longest lifetime of its certificates, in seconds. */
const longest = 36 * 60 * 60;

export function breakGlassSigning(world: HubWorld): Controller {
  const { cluster, marks } = world;
  const background = new Background();
  return {
    kind: "CertificateSigningRequest",
    also: {
      CertificateSigningRequestApproval: ({ metadata }) => [{ name: metadata.name }],
    },
    reconcile(object) {
      const request = read<SigningRequest>(object);
      const { uid, name } = request.metadata;
      const namespace = /^hypershift\.openshift\.io\/(.+)\.customer-break-glass$/.exec(
        request.spec.signerName,
      )?.[1];
      const { certificate, conditions = [] } = request.status ?? {};
      if (namespace === undefined || certificate !== undefined) return undefined;
      if (!isControlPlane(cluster, namespace)) return undefined;
      if (conditions.some(({ type }) => type === "Denied" || type === "Failed")) return undefined;
      if (!conditions.some(({ type }) => type === "Approved")) {
        if (!cluster.get("CertificateSigningRequestApproval", namespace, name)) return undefined;
        tell(cluster, name, "Approved", "ApprovalPresent");
      }
      const due = marks.begin(uid, "signature") + durations.signature;
      if (cluster.clock.now() < due) return due;
      background.run(uid, () => sign(cluster, request, namespace));
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

export function breakGlassRevocation({ cluster, marks }: HubWorld): Controller {
  const background = new Background();
  return {
    kind: "CertificateRevocationRequest",
    reconcile(object) {
      const request = read<RevocationRequest>(object);
      const { uid, namespace = "" } = request.metadata;
      if (isRevoked(request) || !isControlPlane(cluster, namespace)) return undefined;
      const due = marks.begin(uid, "revocation") + durations.revocation;
      if (!request.status?.revocationTimestamp) report(cluster, request, false);
      if (cluster.clock.now() < due) return due;
      background.run(uid, async () => {
        const authority = await makeAuthority(signerName, cluster.clock.now());
        if (!isControlPlane(cluster, namespace)) return;
        keep(cluster, namespace, authority);
        report(cluster, request, true);
      });
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** The authority (PEM) whose certificates a control plane's API accepts, if any. */
export function breakGlassAuthority(cluster: KubeCluster, namespace: string): string | undefined {
  // Only this operator writes the ConfigMap.
  const data = cluster.get("ConfigMap", namespace, trustName)?.data as
    | Record<string, string>
    | undefined;
  return data?.["ca-bundle.crt"];
}

/** Runs work in real time, one piece at a time per object. */
class Background {
  readonly #busy = new Set<string>();

  run(uid: string, work: () => Promise<void>): void {
    if (this.#busy.has(uid)) return;
    this.#busy.add(uid);
    // Work fails only when its object, or the whole world, does not exist any more.
    work()
      .catch(() => undefined)
      .finally(() => this.#busy.delete(uid));
  }
}

async function sign(cluster: KubeCluster, request: SigningRequest, namespace: string) {
  const { name, uid } = request.metadata;
  const { expirationSeconds = longest } = request.spec;
  const authority = authorityOf(cluster, namespace) ?? (await newAuthority(cluster, namespace));
  const pem = Buffer.from(request.spec.request, "base64").toString();
  const lifetime = Math.min(expirationSeconds, longest);
  const signing = { now: cluster.clock.now() - seconds(backdated), lifetime };
  const certificate = await signClientRequest(authority, pem, signing).catch(() => undefined);
  if (cluster.get("CertificateSigningRequest", undefined, name)?.metadata.uid !== uid) return;
  if (certificate === undefined) return tell(cluster, name, "Failed", "SigningError");
  cluster.patchStatus("CertificateSigningRequest", undefined, name, (status) => ({
    ...status,
    certificate: Buffer.from(certificate).toString("base64"),
  }));
}

function tell(cluster: KubeCluster, name: string, type: string, reason: string): void {
  const at = kubeTime(cluster.clock.now());
  const condition = { type, status: "True", reason, lastUpdateTime: at, lastTransitionTime: at };
  cluster.patchStatus("CertificateSigningRequest", undefined, name, (status) => ({
    ...status,
    // The kind's status has Kubernetes' own strict type.
    conditions: [...((status as SigningRequest["status"])?.conditions ?? []), condition],
  }));
}

const isControlPlane = (cluster: KubeCluster, namespace: string): boolean =>
  cluster.list("HostedControlPlane", { namespace }).length > 0;

const isRevoked = ({ status }: RevocationRequest): boolean =>
  status?.conditions?.some(
    (each) => each.type === "PreviousCertificatesRevoked" && each.status === "True",
  ) ?? false;

const steps = [
  "RootCertificatesRegenerated",
  "NewCertificatesTrusted",
  "LeafCertificatesRegenerated",
  "PreviousCertificatesRevoked",
];

function report(cluster: KubeCluster, { metadata }: RevocationRequest, isDone: boolean): void {
  const now = cluster.clock.now();
  const kind = "CertificateRevocationRequest";
  if (!cluster.get(kind, metadata.namespace, metadata.name)) return;
  const findings = [
    { type: "SignerClassValid", status: true, reason: "AsExpected" },
    ...steps.map((type) => ({
      type,
      status: isDone,
      reason: isDone ? "AsExpected" : "RootCertificatesStale",
    })),
  ];
  cluster.patchStatus(kind, metadata.namespace, metadata.name, (status) => ({
    revocationTimestamp: kubeTime(now),
    ...status,
    conditions: conditionsOf((status as RevocationRequest["status"])?.conditions, findings, {
      now,
    }),
  }));
}

async function newAuthority(cluster: KubeCluster, namespace: string): Promise<KeyPair> {
  const made = await makeAuthority(signerName, cluster.clock.now());
  const before = authorityOf(cluster, namespace);
  if (before) return before;
  keep(cluster, namespace, made);
  return made;
}

function authorityOf(cluster: KubeCluster, namespace: string): KeyPair | undefined {
  // Only this operator writes the Secret.
  const data = cluster.get("Secret", namespace, signerName)?.data as
    | Record<string, string>
    | undefined;
  const text = (key: string) => Buffer.from(data?.[key] ?? "", "base64").toString();
  return data && { certificate: text("tls.crt"), key: text("tls.key") };
}

/** Stores the authority, and the bundle that the cluster's API server trusts. */
function keep(cluster: KubeCluster, namespace: string, { certificate, key }: KeyPair): void {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  put(cluster, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: signerName },
    type: "kubernetes.io/tls",
    data: { "tls.crt": base64(certificate), "tls.key": base64(key) },
  });
  put(cluster, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: trustName },
    data: { "ca-bundle.crt": certificate },
  });
}

function put(cluster: KubeCluster, object: KubeInput): void {
  const { namespace, name = "" } = object.metadata;
  if (cluster.get(object.kind, namespace, name)) cluster.update(object);
  else cluster.create(object);
}
