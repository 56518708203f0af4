import type { ClusterId } from "../../id.ts";
import type { Certificate } from "../guest/guest.ts";

/** The certificate port: issues the certificates that hosted clusters serve. */
export interface Certificates {
  /**
   * Issues a certificate for the default ingress of a cluster, with a new key; each call issues another. The
   * caller stores it; nothing has to be released. Throws Invalid when the authority cannot sign, and
   * Unavailable when it does not answer.
   */
  issue(request: CertificateRequest): Promise<Certificate>;
}

export interface CertificateRequest {
  /** The cluster's domain; the certificate covers `*.apps.<domain>`. */
  domain: string;
  cluster: ClusterId;
}
