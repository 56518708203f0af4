import { hours, timestamp, timeText } from "../../clock.ts";
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

/** The time between a failed renewal and the next attempt. */
const pause = hours(24);

/**
 * Whether to renew the certificate now: from 30 days before its end, and once if its end was never recorded.
 * Never while an operation works on the cluster.
 */
export function isRenewalDue(cluster: Cluster, now: number): boolean {
  const { published, operation, metadata, ingress_certificate: certificate, observed } = cluster;
  if (!published || operation !== undefined || metadata.deletion_timestamp) return false;
  if (certificate?.renew_at !== undefined) return Date.parse(certificate.renew_at) <= now;
  return observed.configuration?.parts?.includes(certificatePart) === true;
}

/** The cluster after a new certificate with this end was installed at its ingress. */
export const withCertificate = (cluster: Cluster, ends: string): Cluster =>
  cluster.ingress_certificate?.ends === ends
    ? cluster
    : { ...cluster, ingress_certificate: { ...cluster.ingress_certificate, ends } };

/**
 * The cluster after an operation that installed its certificate. If the new one also ends soon, another renewal
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
  // The next attempt is no later than the certificate's end, so that the cluster reports the end in time.
  const next = end > now ? Math.min(end, now + pause) : now + pause;
  return {
    ...cluster,
    ingress_certificate: {
      ...(ends !== undefined && { ends }),
      ...{ renew_at: timestamp(next), unrenewed },
    },
  };
}

/** The report about a certificate that was not renewed in time; undefined if it was. `now` in milliseconds. */
export function certificateEnding(
  { ingress_certificate: certificate }: Pick<Cluster, "ingress_certificate">,
  now: number,
): Ending | undefined {
  const { ends, unrenewed } = certificate ?? {};
  if (!unrenewed) return undefined;
  const ending = (ends === undefined ? undefined : endingSoon(ends, now)) ?? {
    ...{ hasEnded: false, since: unrenewed.since },
    words: `ends at ${ends === undefined ? "a time that is not known" : timeText(ends)}`,
  };
  const { hasEnded, since, words } = ending;
  return {
    ...{ hasEnded, since },
    words: `the certificate of its ingress ${words}; it was not renewed: ${unrenewed.message}`,
  };
}

/** The certificate's part of the cluster's conditions. */
export function certificateFinding(cluster: Cluster): Finding {
  const { ends = "", unrenewed } = cluster.ingress_certificate ?? {};
  // Computed for the time of the last renewal instead of now, so that the same record always has the same
  // message.
  const ending = unrenewed && certificateEnding(cluster, Date.parse(unrenewed.at));
  if (!ending) return { status: true, reason: "Renewed", message: `it ends at ${timeText(ends)}` };
  const { hasEnded, since, words } = ending;
  return { status: false, reason: hasEnded ? "Ended" : "EndsSoon", message: words, since };
}

/** Writes that keep the list of clusters whose certificate was not renewed in time. */
export function unrenewedWrites(before: Cluster, after: Cluster | undefined): Write[] {
  const { id } = before;
  const [was, is] = [before, after].map((each) => each?.ingress_certificate?.unrenewed);
  if (Boolean(was) === Boolean(is)) return [];
  return [is ? { put: { ...unrenewedKey(id), id } } : { delete: unrenewedKey(id) }];
}
