import type { Clock } from "../../clock.ts";
import type { Certificate } from "../guest/guest.ts";
import { type Secrets, secretReference } from "../secrets/secrets.ts";
import type { CertificateRequest, Certificates } from "./certificates.ts";
import { isFor, isToRenew } from "./chain.ts";

/**
 * The certificate of a cluster's ingress: the one that is kept, as long as it is for this domain and
 * does not end soon; else a new one. Kept in the secret store, since its key is with it.
 */
export async function keptCertificate(
  { secrets, wall }: { secrets: Secrets; wall: Clock },
  certificates: Certificates,
  request: CertificateRequest,
): Promise<Certificate> {
  const reference = secretReference.ingressCertificate(request.cluster);
  const text = await secrets.get(reference);
  // Only this function writes it.
  const kept = text === undefined ? undefined : (JSON.parse(text) as Certificate);
  if (kept && isFor(kept.chain, request.domain) && !isToRenew(kept.chain, wall.now())) return kept;
  const issued = await certificates.issue(request);
  await secrets.put(reference, JSON.stringify(issued));
  return issued;
}
