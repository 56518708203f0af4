// @peculiar/x509 needs it to be there first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { commonNameOf } from "../../core/ports/hub/credentials/port.ts";

export type KeyType = "p256" | "p384" | "p521" | "ed25519" | "rsa1024" | "rsa2048";

const rsa = (modulusLength: number) => ({
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});
const algorithms = {
  p256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  p384: { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  p521: { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" },
  ed25519: { name: "Ed25519" },
  rsa1024: rsa(1024),
  rsa2048: rsa(2048),
};

export const subjectOf = (user: string): x509.JsonName => [
  { O: ["system:masters"] },
  { CN: [commonNameOf(user)] },
];

export interface Asked {
  subject?: x509.JsonName;
  key?: KeyType;
  /** In place of the key's own. */
  signingAlgorithm?: { name: string; hash: string };
  attributes?: x509.Attribute[];
  extensions?: x509.Extension[];
}

/** A user's signing request in PEM, each for a key of its own. */
export async function signingRequest(user: string, asked: Asked = {}): Promise<string> {
  const { subject = subjectOf(user), key = "p256", extensions = [], attributes = [] } = asked;
  const algorithm = algorithms[key];
  // A key of RSA is for signatures with one hash.
  const made = { ...algorithm, ...asked.signingAlgorithm };
  const keys = await webcrypto.subtle.generateKey(made, true, ["sign", "verify"]);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: new x509.Name(subject).toString(),
    keys: keys as webcrypto.CryptoKeyPair,
    signingAlgorithm: made,
    extensions,
    attributes,
  });
  return `${request.toString("pem")}\n`;
}
