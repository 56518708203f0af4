// @peculiar/x509 needs it to be there first.
import "reflect-metadata";
import { createPublicKey } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as x509 from "@peculiar/x509";
import { commonNameOf, organization } from "./credentials.ts";

/** The extension of subjectAltName. */
const alternativeNames = "2.5.29.17";

/**
 * What is wrong with a signing request (PKCS#10 in PEM) of a user, in words that say what is right;
 * undefined when it is fit to be signed.
 */
export async function faultOfSigningRequest(
  pem: string,
  user: string,
): Promise<string | undefined> {
  const request = parsed(pem);
  if (!request) return "must be a certificate signing request in PEM";
  // What cannot be verified was not signed in a way that we know.
  if (!(await request.verify().catch(() => false))) return "must be signed by its own key";
  if (!isStrong(request))
    return "must be for an RSA key of 2048 bits or more, P-256, P-384 or Ed25519";
  const commonName = commonNameOf(user);
  const wanted = [{ CN: [commonName] }, { O: [organization] }];
  if (!isDeepStrictEqual(byType(request.subjectName), wanted))
    return `must have the subject O=${organization}, CN=${commonName} and nothing else in it`;
  if (request.getExtension(alternativeNames)) return "must not have alternative names";
  return undefined;
}

/** The bytes of a request that was found fit. */
export function signingRequestBytes(pem: string): Buffer {
  return Buffer.from(new x509.Pkcs10CertificateRequest(pem).rawData);
}

function parsed(pem: string): x509.Pkcs10CertificateRequest | undefined {
  try {
    return new x509.Pkcs10CertificateRequest(pem);
  } catch {
    return undefined;
  }
}

/** The parts of a name in the order of their types. */
const byType = (name: x509.Name): x509.JsonName =>
  name.toJSON().toSorted((a, b) => (String(Object.keys(a)) < String(Object.keys(b)) ? -1 : 1));

function isStrong({ publicKey }: x509.Pkcs10CertificateRequest): boolean {
  const key = createPublicKey({
    key: Buffer.from(publicKey.rawData),
    format: "der",
    type: "spki",
  });
  const { modulusLength = 0, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") return modulusLength >= 2048 && modulusLength <= 8192;
  if (key.asymmetricKeyType === "ec") return ["prime256v1", "secp384r1"].includes(namedCurve);
  return key.asymmetricKeyType === "ed25519";
}
