// @peculiar/x509 needs this import before its own.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { type Clock, hours } from "../../clock.ts";
import type { CertificateRequest, Certificates } from "./certificates.ts";
import { ingressName } from "./chain.ts";
import { type Authority, checkAuthority, type Signer } from "./check.ts";

export interface CertificateAuthorityOptions {
  /** The provider's authority, read from the secret store for each certificate. */
  authority: () => Promise<Authority>;
  clock: Clock;
}

/** Signs with the provider's own authority. */
export function certificateAuthority({
  authority,
  clock,
}: CertificateAuthorityOptions): Certificates {
  return {
    async issue(request) {
      const now = clock.now();
      const signer = checkAuthority(await authority(), now);
      const keys = await webcrypto.subtle.generateKey(keyType, true, ["sign", "verify"]);
      const certificate = await sign(signer, request, keys.publicKey, now);
      const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
      // OpenShift expects the root last (its documentation: replacing the default ingress certificate).
      const chain = [certificate.toString("pem"), ...signer.chain];
      return { chain: lines(chain), key: lines([x509.PemConverter.encode(key, "PRIVATE KEY")]) };
    },
  };
}

const keyType = { name: "ECDSA", namedCurve: "P-256" };

/** Browsers accept at most 398 days. */
const longest = hours(397 * 24);
/** Backdates certificates, for clients with slow clocks. */
const slack = hours(1);

async function sign(
  { certificate, key, algorithm, validFrom, validTo }: Signer,
  { domain, cluster }: CertificateRequest,
  publicKey: webcrypto.CryptoKey,
  now: number,
): Promise<x509.X509Certificate> {
  const issuer = new x509.X509Certificate(certificate.raw);
  const notBefore = Math.max(now - slack, validFrom);
  const pkcs8 = key.export({ type: "pkcs8", format: "der" });
  return x509.X509CertificateGenerator.create({
    // A common name has at most 64 characters, which a domain may exceed.
    subject: [{ CN: [cluster] }],
    issuer: issuer.subjectName,
    notBefore: new Date(notBefore),
    notAfter: new Date(Math.min(notBefore + longest, validTo)),
    publicKey,
    signingKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: ingressName(domain) }]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      ...keyIdentifierOf(issuer),
    ],
  });
}

/** Copies the issuer's subject key id as the authority key id, if the issuer has one. */
function keyIdentifierOf(issuer: x509.X509Certificate): x509.Extension[] {
  const found = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  return found ? [new x509.AuthorityKeyIdentifierExtension(found.keyId)] : [];
}

/** Ends each PEM block with a line break, which some writers leave out. */
const lines = (blocks: string[]): string => blocks.map((block) => `${block.trim()}\n`).join("");
