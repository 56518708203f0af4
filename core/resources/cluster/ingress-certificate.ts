import { hours, timestamp } from "../../clock.ts";
import { type Ending, endingSoon, soonEnds } from "../../ending.ts";
import type { Finding } from "../../kernel/object/condition.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import { unrenewedKey } from "../../kernel/object/keys.ts";
import { failureText } from "../../kernel/object/lifecycle.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Cluster, IngressCertificate } from "./model.ts";

/** The certificate of a cluster's ingress: its end, its renewal and its condition. Pure. */

/** The certificate's name among the parts of a cluster's configuration. */
export const certificatePart = "certificate";

/** The time from a failed renewal to the next one. */
const pause = hours(24);

/**
 * Whether to renew the certificate now: from 30 days before its end, and once if its end is unknown, as in clusters
 * from before Slipway recorded it. Never while an operation works on the cluster.
 */
export function isRenewalDue(cluster: Cluster, now: number): boolean {
  const { published, operation, metadata, ingress_certificate: certificate, observed } = cluster;
  if (!published || operation !== undefined || metadata.deletion_timestamp) return false;
  if (certificate?.renew_at !== undefined) return Date.parse(certificate.renew_at) <= now;
  return observed.configuration?.parts?.includes(certificatePart) === true;
}

/** The cluster after a certificate that ends at this time was installed at its ingress. */
export const withCertificate = (cluster: Cluster, ends: string): Cluster =>
  cluster.ingress_certificate?.ends === ends
    ? cluster
    : { ...cluster, ingress_certificate: { ...cluster.ingress_certificate, ends } };

/**
 * The cluster after an operation that installed its certificate. If the new one ends soon as well, another renewal
 * follows.
 */
export function renewed(cluster: Cluster, at: string): Cluster {
  const { ends, unrenewed } = cluster.ingress_certificate ?? {};
  if (ends === undefined) return cluster;
  const [due, now] = [Date.parse(ends) - soonEnds, Date.parse(at)];
  if (due > now) return { ...cluster, ingress_certificate: { ends, renew_at: timestamp(due) } };
  const message = "the authority that signs it ends then";
  return inVain(cluster, { since: unrenewed?.since ?? at, at, message });
}

/** The cluster after a renewal that failed or was cancelled; it keeps its certificate. */
export function notRenewed(cluster: Cluster, failure: Failure, at: string): Cluster {
  const { unrenewed } = cluster.ingress_certificate ?? {};
  return inVain(cluster, { since: unrenewed?.since ?? at, at, message: failureText(failure) });
}

function inVain(
  cluster: Cluster,
  unrenewed: NonNullable<IngressCertificate["unrenewed"]>,
): Cluster {
  const { ends } = cluster.ingress_certificate ?? {};
  const now = Date.parse(unrenewed.at);
  const end = ends === undefined ? Number.NaN : Date.parse(ends);
  // Another renewal is due no later than the certificate's end, so that the cluster then reports the end.
  const next = end > now ? Math.min(end, now + pause) : now + pause;
  return {
    ...cluster,
    ingress_certificate: {
      ...(ends !== undefined && { ends }),
      ...{ renew_at: timestamp(next), unrenewed },
    },
  };
}

/** The report about a certificate that was not renewed in time; undefined for any other. `now` in milliseconds. */
export function certificateEnding(
  { ingress_certificate: certificate }: Pick<Cluster, "ingress_certificate">,
  now: number,
): Ending | undefined {
  const { ends, unrenewed } = certificate ?? {};
  if (!unrenewed) return undefined;
  const ending = (ends === undefined ? undefined : endingSoon(ends, now)) ?? {
    ...{ hasEnded: false, since: unrenewed.since },
    words: `ends at ${ends ?? "a time that is not known"}`,
  };
  const { hasEnded, since, words } = ending;
  return {
    ...{ hasEnded, since },
    words: `the certificate of its ingress ${words}; it was not renewed: ${unrenewed.message}`,
  };
}

/** The finding for the cluster's condition on its certificate. */
export function certificateFinding(cluster: Cluster): Finding {
  const { ends = "", unrenewed } = cluster.ingress_certificate ?? {};
  // Computed for the time of the last renewal, not for now: the same record always has the same message.
  const ending = unrenewed && certificateEnding(cluster, Date.parse(unrenewed.at));
  if (!ending) return { status: true, reason: "Renewed", message: `it ends at ${ends}` };
  const { hasEnded, since, words } = ending;
  return { status: false, reason: hasEnded ? "Ended" : "EndsSoon", message: words, since };
}

/** Writes that add a cluster to the list of those whose certificate was not renewed in time, or remove it. */
export function unrenewedWrites(before: Cluster, after: Cluster | undefined): Write[] {
  const { id } = before;
  const [was, is] = [before, after].map((each) => each?.ingress_certificate?.unrenewed);
  if (Boolean(was) === Boolean(is)) return [];
  return [is ? { put: { ...unrenewedKey(id), id } } : { delete: unrenewedKey(id) }];
}
