import type { ClusterId } from "../../id.ts";
import type { Certificate } from "../guest/guest.ts";

/** The certificate port: issues the certificates that hosted clusters serve. */
export interface Certificates {
  /**
   * A certificate for the default ingress of a cluster, with a new key: each call makes another. The
   * caller stores it; nothing ever has to be released. Throws Invalid when the authority cannot sign,
   * and Unavailable when it does not answer.
   */
  issue(request: CertificateRequest): Promise<Certificate>;
}

export interface CertificateRequest {
  /** The cluster's domain; the certificate is for names below `apps` in it. */
  domain: string;
  cluster: ClusterId;
}
