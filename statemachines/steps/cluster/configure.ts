import { ownerOf } from "../../../core/at-site/owner.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import {
  type Certificate,
  failed,
  type GuestClient,
  type GuestObservation,
  guestDone,
  guestPending,
} from "../../../core/ports/guest/guest.ts";
import { certificatePart } from "../../../core/resources/cluster/ingress-certificate.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import {
  operatorsOf,
  renderedManifests,
  storageOf,
} from "../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../core/resources/cluster-template/content/revisions.ts";
import type { ClusterTemplateSpec } from "../../../core/resources/cluster-template/model.ts";
import { siteOf } from "../site/site.ts";
import { inGuest, noteGuestObserved } from "./guest.ts";
import { certificateOf, endOf } from "./ingress-certificate.ts";

/** The part that uses access data from the site. */
const storageClass = "storage class";

/** Applies missing objects, and reads the progress of unfinished parts. */
export async function configureCluster(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const { state, parts = [] } = cluster.observed.configuration ?? {};
  if (!cluster.placement || state === "done") return;
  const content = await loadRevision(context.deps.store, cluster);
  const ready = new Set(parts);
  const fromSite = {
    storage: ready.has(storageClass) ? undefined : await storageAccess(cluster, content, context),
    certificate: ready.has(certificatePart) ? undefined : await certificateOf(cluster, context),
  };
  const seen = await inGuest(cluster, context, (guest) =>
    configured(guest, cluster, content, fromSite, ready),
  );
  const installed = ready.has(certificatePart) ? fromSite.certificate : undefined;
  await noteGuestObserved(
    "configuration",
    { seen, before: cluster, parts: [...ready], ...(installed && { ends: endOf(installed) }) },
    context,
  );
}

type Access = Parameters<GuestClient["ensureStorageClass"]>[0];

/** The storage's access data. Read just before they are sent to the cluster, and stored nowhere. */
async function storageAccess(
  cluster: Cluster,
  content: ClusterTemplateSpec,
  context: Context<StepDeps>,
): Promise<Access | undefined> {
  const options = storageOf(content);
  const here = await siteOf(cluster, context);
  const access = options && here?.storage && (await here.storage.access(ownerOf(cluster)));
  return access && { ...access, ...options };
}

/**
 * Configures independent parts in parallel, then the manifests, whose kinds the operators may install. Adds
 * each finished part to `ready`, and skips parts that are already there.
 */
async function configured(
  guest: GuestClient,
  { site, spec }: Cluster,
  content: ClusterTemplateSpec,
  fromSite: { storage: Access | undefined; certificate: Certificate | undefined },
  ready: Set<string>,
): Promise<GuestObservation> {
  const first: Part[] = [];
  const { storage, certificate: given } = fromSite;
  if (storage) first.push([storageClass, () => guest.ensureStorageClass(storage)]);
  const address = site?.network?.ingress;
  if (address !== undefined) first.push(["ingress", () => guest.ensureIngress({ address })]);
  if (given) first.push([certificatePart, () => guest.ensureIngressCertificate(given)]);
  const values = spec.template_parameters;
  for (const operator of operatorsOf(content, values))
    first.push([operator.package, () => guest.ensureOperator(operator)]);
  const manifests = renderedManifests(content, values);
  return (
    (await unfinished(first, ready)) ??
    (await unfinished([["manifests", () => guest.ensureManifests(manifests)]], ready)) ??
    guestDone
  );
}

type Part = [name: string, ensure: () => Promise<GuestObservation>];

/** The first failure, or all that the step waits for; undefined when all parts are done. */
async function unfinished(
  parts: Part[],
  ready: Set<string>,
): Promise<GuestObservation | undefined> {
  const waits: string[] = [];
  for (const [name, ensure] of parts) {
    if (ready.has(name)) continue;
    const seen = await ensure();
    if (seen.state === "done") ready.add(name);
    if (seen.state === "failed") return failed(`${name}: ${seen.message}`);
    if (seen.state === "pending") waits.push(`${name}: ${seen.waitingFor}`);
  }
  return waits.length > 0 ? guestPending(waits.join("; ")) : undefined;
}
