import { X509Certificate } from "node:crypto";
import type { User } from "./authorization.ts";

const clientAuthentication = "1.3.6.1.5.5.7.3.2";

/**
 * The user of a client certificate: its common name, with its organizations as groups. Undefined unless the authority
 * (PEM) signed it for client authentication and it is valid now.
 */
export function clientOf(
  certificate: X509Certificate,
  authority: string,
  now: number,
): User | undefined {
  const signer = new X509Certificate(authority);
  const { validFrom, validTo, keyUsage } = certificate;
  const isSigned = certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
  const isCurrent = Date.parse(validFrom) <= now && now < Date.parse(validTo);
  if (!isSigned || !isCurrent || !keyUsage?.includes(clientAuthentication)) return undefined;
  const { CN: name, O: groups = [] } = certificate.toLegacyObject().subject;
  if (typeof name !== "string") return undefined;
  return { name, groups: ["system:authenticated", ...[groups].flat()] };
}
