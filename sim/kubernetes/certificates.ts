// @peculiar/x509 needs this import first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** A certificate and its private key, both as PEM for files and tables. */
export interface KeyPair {
  certificate: string;
  key: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 24 * 60 * 60 * 1000;

/** A certificate authority, valid for ten years around `now` (milliseconds since the epoch). */
export async function makeAuthority(name: string, now = Date.now()): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

/** A server certificate of the authority for these DNS names and IP addresses. */
export async function makeServerCertificate(
  authority: KeyPair,
  hosts: string[],
  now = Date.now(),
): Promise<KeyPair> {
  const keys = await generateKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(now),
    subject: `CN=${hosts[0] ?? "localhost"}`,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIp(host) ? "ip" : "dns", value: host })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { certificate: certificate.toString("pem"), key: await exportKey(keys.privateKey) };
}

/** The authority and the lifetime for the signature of a request (PKCS#10, PEM). */
export interface Signing {
  /** Milliseconds since the epoch. */
  now: number;
  /** The certificate's lifetime in seconds. */
  lifetime: number;
}

/** A client certificate of the authority, in PEM, with the subject and the key of a signing request. */
export async function signClientRequest(
  authority: KeyPair,
  pem: string,
  { now, lifetime }: Signing,
): Promise<string> {
  const request = new x509.Pkcs10CertificateRequest(pem);
  if (!(await request.verify())) throw new Error("the request is not signed by its key");
  const issuer = new x509.X509Certificate(authority.certificate);
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore: new Date(now),
    notAfter: new Date(now + lifetime * 1000),
    subject: request.subjectName,
    issuer: issuer.subjectName,
    publicKey: request.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return certificate.toString("pem");
}

function validity(now: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - day), notAfter: new Date(now + 3650 * day) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der = new ArrayBuffer(0)] = x509.PemConverter.decode(pem);
  return webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
}

function isIp(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(":");
}
