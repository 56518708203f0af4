import type { ClusterId } from "../../id.ts";
import type { Certificate } from "../guest/guest.ts";

/** The certificate port: where the certificates that hosted clusters serve come from. */
export interface Certificates {
  /**
   * A certificate for the default ingress of a cluster, with a key of its own: each call makes
   * another. The caller keeps it; there is nothing to take back. Throws Invalid when who is to sign
   * cannot, Unavailable when it cannot be asked.
   */
  issue(request: CertificateRequest): Promise<Certificate>;
}

export interface CertificateRequest {
  /** The cluster's domain; the certificate is for the names below `apps` of it. */
  domain: string;
  cluster: ClusterId;
}
