import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { commonNameOf, organization } from "./credentials.ts";
import { type Der, derOf } from "./der.ts";

const frame = /^\s*-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END CERTIFICATE REQUEST-----\s*$/;
const [commonNameType, organizationType] = ["550403", "55040a"];
/** The extension of subjectAltName, with its tag and length. */
const alternativeNames = Buffer.from("0603551d11", "hex");
/** Hashes of signatures by the bytes of their identifiers: RSA, then ECDSA; Ed25519 has its own. */
const hashes: Record<string, string | null> = {
  ...{ "2a864886f70d01010b": "sha256", "2a864886f70d01010c": "sha384" },
  ...{ "2a864886f70d01010d": "sha512", "2a8648ce3d040302": "sha256" },
  ...{ "2a8648ce3d040303": "sha384", "2a8648ce3d040304": "sha512", "2b6570": null },
};

/**
 * What is wrong with a signing request (PKCS#10 in PEM) of a user, in words that say what is right;
 * undefined when it is fit to be signed.
 */
export function faultOfSigningRequest(pem: string, user: string): string | undefined {
  const request = parsed(pem);
  if (!request) return "must be a certificate signing request in PEM";
  if (!isStrong(request.key))
    return "must be for an RSA key of 2048 bits or more, P-256, P-384 or Ed25519";
  if (!isSigned(request)) return "must be signed by its own key, with SHA-256 or better";
  const commonName = commonNameOf(user);
  const { subject } = request;
  const isRight =
    subject.length === 2 &&
    subject.some(([type, value]) => type === commonNameType && value === commonName) &&
    subject.some(([type, value]) => type === organizationType && value === organization);
  if (!isRight)
    return `must have the subject O=${organization}, CN=${commonName} and nothing else in it`;
  return request.attributes.includes(alternativeNames)
    ? "must not have alternative names"
    : undefined;
}

/** The bytes of a request that was found fit. */
export const signingRequestBytes = (pem: string): Buffer =>
  Buffer.from(frame.exec(pem)?.[1] ?? "", "base64");

interface Request {
  signed: Buffer;
  /** Types, in hex, and values. */
  subject: [string, string][];
  key: KeyObject;
  attributes: Buffer;
  algorithm: string;
  signature: Buffer;
}

function parsed(pem: string): Request | undefined {
  try {
    const [info, algorithm, signature] = parts(derOf(signingRequestBytes(pem)), 3);
    const [, name, key, attributes] = parts(info, 3);
    return {
      signed: info.bytes,
      subject: name.children.flatMap((set) => set.children.map(namePart)),
      key: createPublicKey({ key: key.bytes, format: "der", type: "spki" }),
      attributes: attributes?.bytes ?? Buffer.alloc(0),
      algorithm: parts(algorithm, 1)[0].content.toString("hex"),
      // Behind the count of unused bits.
      signature: signature.content.subarray(1),
    };
  } catch {
    return undefined;
  }
}

function parts({ children }: Der, least: number): [Der, Der, Der, ...Der[]] {
  if (children.length < least) throw new Error("something is missing");
  // Whoever asks for fewer looks at no more.
  return children as [Der, Der, Der, ...Der[]];
}

function namePart(part: Der): [string, string] {
  const [type, value] = parts(part, 2);
  return [type.content.toString("hex"), value.content.toString("utf8")];
}

function isSigned({ signed, key, algorithm, signature }: Request): boolean {
  const hash = hashes[algorithm];
  try {
    return hash !== undefined && verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails;
  if (type === "rsa") return modulusLength >= 2048 && modulusLength <= 8192;
  if (type === "ec") return ["prime256v1", "secp384r1"].includes(namedCurve);
  return type === "ed25519";
}
