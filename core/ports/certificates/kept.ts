import type { Clock } from "../../clock.ts";
import { beforeEffect } from "../../effect.ts";
import type { Certificate } from "../guest/guest.ts";
import { type Secrets, secretReference } from "../secrets/secrets.ts";
import type { CertificateRequest, Certificates } from "./certificates.ts";
import { isFor, isToRenew } from "./chain.ts";

/**
 * The certificate of a cluster's ingress: the stored one if it is for this domain and does not expire soon,
 * otherwise a new one. Certificate and key are stored together, in the secret store.
 */
export async function keptCertificate(
  { secrets, wall }: { secrets: Secrets; wall: Clock },
  certificates: Certificates,
  request: CertificateRequest,
): Promise<Certificate> {
  const reference = secretReference.ingressCertificate(request.cluster);
  const text = await secrets.get(reference);
  // Only this function writes the value, so the cast is safe.
  const kept = text === undefined ? undefined : (JSON.parse(text) as Certificate);
  if (kept && isFor(kept.chain, request.domain) && !isToRenew(kept.chain, wall.now())) return kept;
  const issued = await certificates.issue(request);
  await beforeEffect();
  await secrets.put(reference, JSON.stringify(issued));
  return issued;
}
