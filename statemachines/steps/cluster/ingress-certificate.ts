import { timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { expiresAt } from "../../../core/ports/certificates/chain.ts";
import { keptCertificate } from "../../../core/ports/certificates/kept.ts";
import type { Certificate } from "../../../core/ports/guest/guest.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { siteOf } from "../site/site.ts";
import { inGuest, noteGuestObserved } from "./guest.ts";

/** The certificate of the cluster's ingress, renewed if due; undefined if its site signs none. */
export async function certificateOf(
  cluster: Cluster,
  context: Context<StepDeps>,
): Promise<Certificate | undefined> {
  const here = await siteOf(cluster, context);
  const { domain } = here?.record ?? {};
  if (!here?.certificates || domain === undefined) return undefined;
  return keptCertificate(context.deps, here.certificates, { domain, cluster: cluster.id });
}

/** The expiry of a certificate, as RFC 3339. */
export const endOf = ({ chain }: Certificate): string => timestamp(expiresAt(chain));

/** Installs the ingress certificate; a new one is issued if it expires soon or is lost. */
export async function renewIngressCertificate(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  if (cluster.observed.certificate?.state === "done") return;
  const certificate = await certificateOf(cluster, context);
  if (!certificate) throw new AppError("Rejected", "its site signs no certificates any more");
  const seen = await inGuest(cluster, context, (guest) =>
    guest.ensureIngressCertificate(certificate),
  );
  const ends = seen.state === "done" ? { ends: endOf(certificate) } : {};
  await noteGuestObserved("certificate", { seen, before: cluster, ...ends }, context);
}
