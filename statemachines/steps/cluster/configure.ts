import { seconds, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { type Outcome, pending, done as settled } from "../../../core/kernel/saga/saga.ts";
import { keptCertificate } from "../../../core/ports/certificates/kept.ts";
import {
  type Certificate,
  done,
  failed,
  type GuestClient,
  pending as notYet,
  type Observation,
} from "../../../core/ports/guest/guest.ts";
import type { Cluster, Observed } from "../../../core/resources/cluster/model.ts";
import {
  operatorsOf,
  renderedManifests,
  storageOf,
} from "../../../core/resources/cluster-template/content/render.ts";
import { loadRevision } from "../../../core/resources/cluster-template/content/revisions.ts";
import type { ClusterTemplateSpec } from "../../../core/resources/cluster-template/model.ts";
import type { Progress } from "../../../core/resources/site/at-site.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import { siteOf } from "../site/site.ts";

/** How often hosted clusters are asked: they send no reports. */
const askAgain = seconds(60);

/** The names of parts whose access data or keys come from the site. */
const storageClass = "storage class";
const certificate = "certificate";

/** Applies missing objects and reads the progress of the parts that were not done yet. */
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
    certificate: ready.has(certificate) ? undefined : await certificateOf(cluster, context),
  };
  const seen = await inGuest(cluster, context, (guest) =>
    configured(guest, cluster, content, fromSite, ready),
  );
  await noteObserved("configuration", seen, context, [...ready]);
}

type Access = Parameters<GuestClient["ensureStorageClass"]>[0];

/** The access data of the storage. Read just before it goes into the cluster, and stored nowhere. */
async function storageAccess(
  cluster: Cluster,
  content: ClusterTemplateSpec,
  context: Context,
): Promise<Access | undefined> {
  const options = storageOf(content);
  const here = await siteOf(cluster, context);
  const access = options && here?.storage && (await here.storage.access(ownerOf(cluster)));
  return access && { ...access, ...options };
}

async function certificateOf(cluster: Cluster, context: Context): Promise<Certificate | undefined> {
  const here = await siteOf(cluster, context);
  const { domain } = here?.record ?? {};
  if (!here?.certificates || domain === undefined) return undefined;
  return keptCertificate(context.deps, here.certificates, { domain, cluster: cluster.id });
}

/**
 * Configures independent parts side by side, and then the manifests, which may be of kinds that the
 * operators bring. Adds each part to `ready` once it is done, and leaves those there alone.
 */
async function configured(
  guest: GuestClient,
  { site, spec }: Cluster,
  content: ClusterTemplateSpec,
  fromSite: { storage: Access | undefined; certificate: Certificate | undefined },
  ready: Set<string>,
): Promise<Observation> {
  const first: Part[] = [];
  const { storage, certificate: given } = fromSite;
  if (storage) first.push([storageClass, () => guest.ensureStorageClass(storage)]);
  const address = site?.network?.ingress;
  if (address !== undefined) first.push(["ingress", () => guest.ensureIngress({ address })]);
  if (given) first.push([certificate, () => guest.ensureIngressCertificate(given)]);
  const values = spec.template_parameters;
  for (const operator of operatorsOf(content, values))
    first.push([operator.package, () => guest.ensureOperator(operator)]);
  const manifests = renderedManifests(content, values);
  return (
    (await unfinished(first, ready)) ??
    (await unfinished([["manifests", () => guest.ensureManifests(manifests)]], ready)) ??
    done
  );
}

type Part = [name: string, ensure: () => Promise<Observation>];

/** The first failure, else everything that the step waits for; undefined when all is done. */
async function unfinished(parts: Part[], ready: Set<string>): Promise<Observation | undefined> {
  const waits: string[] = [];
  for (const [name, ensure] of parts) {
    if (ready.has(name)) continue;
    const seen = await ensure();
    if (seen.state === "done") ready.add(name);
    if (seen.state === "failed") return failed(`${name}: ${seen.message}`);
    if (seen.state === "pending") waits.push(`${name}: ${seen.waitingFor}`);
  }
  return waits.length > 0 ? notYet(waits.join("; ")) : undefined;
}

/** Runs `work` in the hosted cluster. Throws Unavailable if the cluster's API does not answer now. */
export async function inGuest(
  cluster: Cluster,
  { deps }: Context,
  work: (guest: GuestClient) => Promise<Observation>,
): Promise<Observation> {
  if (!cluster.placement) throw new AppError("Internal", "the cluster is not placed");
  const seen = await deps.guests.reach(cluster.placement.hub, ownerOf(cluster), work);
  return seen ?? notYet("the hosted cluster's kubeconfig");
}

export async function noteObserved(
  part: "configuration" | "validation",
  seen: Observation,
  { deps, change }: StepContext<Cluster>,
  parts?: string[],
): Promise<void> {
  const message =
    seen.state === "done" ? "" : seen.state === "failed" ? seen.message : seen.waitingFor;
  await change((cluster) => {
    const before = cluster.observed[part];
    if (before?.state === seen.state && before.message === message) return undefined;
    const progress: Progress = { state: seen.state, message, at: timestamp(deps.clock.now()) };
    const observed: Observed = {
      ...cluster.observed,
      [part]: { ...progress, ...(parts && { parts }) },
    };
    return { ...cluster, observed };
  });
}

/** An `until` that decides by the last observation; a failure fails the step. */
export const isObserved =
  (part: "configuration" | "validation") =>
  ({ observed }: Cluster): Outcome => {
    const { state = "pending", message = "the hosted cluster's API" } = observed[part] ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    return state === "done" ? settled : pending(message, askAgain);
  };

/** Removes the last observation, so that a retry decides by new ones and not by an old failure. */
export const forget =
  (part: "configuration" | "validation") =>
  async (_: Cluster, context: StepContext<Cluster>): Promise<void> => {
    await context.change((cluster) => {
      const { [part]: before, ...observed } = cluster.observed;
      return before ? { ...cluster, observed } : undefined;
    });
  };
