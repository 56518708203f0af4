import { X509Certificate } from "node:crypto";
import { hours } from "../../clock.ts";

/** Reads a chain of certificates in PEM that begins with the cluster's own. */

/** The DNS name in the certificate of a cluster's default ingress. */
export const ingressName = (domain: string): string => `*.apps.${domain}`;

/** The expiry of the first certificate, in milliseconds since the epoch. */
export function expiresAt(chain: string): number {
  return Date.parse(new X509Certificate(chain).validTo);
}

/** Whether the first certificate expires within 30 days; `now` in milliseconds since the epoch. */
export function isToRenew(chain: string, now: number): boolean {
  return expiresAt(chain) - now <= hours(30 * 24);
}

/** Whether the chain is for the default ingress of the cluster with this domain. */
export function isFor(chain: string, domain: string): boolean {
  const names = new X509Certificate(chain).subjectAltName?.split(", ") ?? [];
  return names.includes(`DNS:${ingressName(domain)}`);
}
