// @peculiar/x509 needs this import before its own.
import "reflect-metadata";
import { createPublicKey, type KeyObject } from "node:crypto";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { commonNameOf, organization } from "../port.ts";

const frame = /^\s*-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END CERTIFICATE REQUEST-----\s*$/;
/** The encoded subjectAltName extension id: tag, length and OID. */
const alternativeNames = Buffer.from("0603551d11", "hex");

/**
 * The fault of a user's signing request (PKCS#10 in PEM), as a text with the expected form;
 * undefined if it may be signed.
 */
export async function faultOfSigningRequest(
  pem: string,
  user: string,
): Promise<string | undefined> {
  const request = parsed(pem);
  if (!request) return "must be a certificate signing request in PEM";
  if (!isStrong(request.key))
    return "must be for an RSA key of 2048 bits or more, P-256, P-384 or Ed25519";
  if (!(await isSigned(request.whole)))
    return "must be signed by its own key, with SHA-256 or better";
  const commonName = commonNameOf(user);
  const { subject } = request;
  const isRight =
    subject.length === 2 &&
    subject.some(([type, value]) => type === "CN" && value === commonName) &&
    subject.some(([type, value]) => type === "O" && value === organization);
  if (!isRight)
    return `must have the subject O=${organization}, CN=${commonName} and nothing else in it`;
  // Searches every attribute: the library shows only one attribute's extensions.
  return request.attributes.some((attribute) => attribute.includes(alternativeNames))
    ? "must not have alternative names"
    : undefined;
}

/** The bytes of a valid request. */
export const signingRequestBytes = (pem: string): Buffer =>
  Buffer.from(frame.exec(pem)?.[1] ?? "", "base64");

class SigningRequest extends Pkcs10CertificateRequest {
  /** The parsed request, encoded again. */
  get der(): Buffer {
    return Buffer.from(new Pkcs10CertificateRequest(this.asn).rawData);
  }
}

interface Request {
  whole: SigningRequest;
  /** The types and values of the subject. */
  subject: [string, string][];
  key: KeyObject;
  attributes: Buffer[];
}

function parsed(pem: string): Request | undefined {
  try {
    const bytes = signingRequestBytes(pem);
    const whole = new SigningRequest(bytes);
    // The library accepts encodings other than DER, and bytes after the request, which the hub may read
    // differently.
    if (!bytes.equals(whole.der)) return undefined;
    const { publicKey, attributes } = whole;
    return {
      whole,
      subject: whole.subjectName.toJSON().flatMap(partsOf),
      key: createPublicKey({ key: Buffer.from(publicKey.rawData), format: "der", type: "spki" }),
      attributes: attributes.map(({ rawData }) => Buffer.from(rawData)),
    };
  } catch {
    return undefined;
  }
}

const partsOf = (set: Record<string, string[]>): [string, string][] =>
  Object.entries(set).flatMap(([type, values]) =>
    values.map((value): [string, string] => [type, value]),
  );

const schemes = ["RSASSA-PKCS1-v1_5", "ECDSA"];
const hashes = ["SHA-256", "SHA-384", "SHA-512"];

async function isSigned(request: SigningRequest): Promise<boolean> {
  try {
    return isGood(request.signatureAlgorithm) && (await request.verify());
  } catch {
    return false;
  }
}

/** Whether a signature algorithm is strong enough, in WebCrypto's terms; Ed25519 implies its hash. */
const isGood = ({ name, hash }: { name?: string; hash?: { name: string } }): boolean =>
  name === "Ed25519" ||
  (name !== undefined && schemes.includes(name) && hashes.includes(hash?.name ?? ""));

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails;
  if (type === "rsa") return modulusLength >= 2048 && modulusLength <= 8192;
  if (type === "ec") return ["prime256v1", "secp384r1"].includes(namedCurve);
  return type === "ed25519";
}
