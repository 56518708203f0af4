// @peculiar/x509 needs it to be there first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { hours } from "../../../../core/clock.ts";
import type { Authority } from "../../../../core/ports/certificates/check.ts";

export const now = Date.parse("2026-03-01T12:00:00Z");
export const days = (count: number): number => hours(24 * count);

export const p256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
export const p384 = { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" };
export const p521 = { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" };
const rsa = (modulusLength: number) => ({
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});
export const rsa2048 = rsa(2048);
export const rsa1024 = rsa(1024);
export const ed25519 = { name: "Ed25519" };

interface Wanted {
  algorithm?: typeof p256 | ReturnType<typeof rsa> | typeof ed25519;
  from?: number;
  to?: number;
  isAuthority?: boolean;
  /** In place of the identifier that is computed from the key; empty: none. */
  keyIdentifier?: string;
  /** Who signs it; itself unless given. */
  issuer?: Authority;
}

/** An authority as a provider might bring one. */
export async function newAuthority({
  algorithm = p256,
  from = now - days(10),
  to = now + days(3650),
  isAuthority = true,
  keyIdentifier = "00112233445566778899",
  issuer,
}: Wanted = {}): Promise<Authority> {
  const keys = await generate(algorithm);
  // As OpenSSL writes it: written again as a PrintableString it is another name to some clients.
  const subject = new x509.Name([{ O: [{ utf8String: "Provider" }] }]);
  const above = issuer && new x509.X509Certificate(issuer.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: above?.subjectName ?? subject,
    notBefore: new Date(from),
    notAfter: new Date(to),
    publicKey: keys.publicKey,
    signingKey: issuer ? await imported(issuer.key) : keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...(keyIdentifier ? [new x509.SubjectKeyIdentifierExtension(keyIdentifier)] : []),
    ],
  });
  const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  const own = `${certificate.toString("pem")}\n`;
  return {
    certificate: own + (issuer?.certificate ?? ""),
    key: x509.PemConverter.encode(key, "PRIVATE KEY"),
  };
}

const generate = (algorithm: NonNullable<Wanted["algorithm"]>) =>
  webcrypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ]) as Promise<webcrypto.CryptoKeyPair>;

/** The key of an authority that has one on P-256. */
function imported(pem: string): Promise<webcrypto.CryptoKey> {
  const [der = new ArrayBuffer(0)] = x509.PemConverter.decode(pem);
  return webcrypto.subtle.importKey("pkcs8", der, p256, false, ["sign"]);
}
