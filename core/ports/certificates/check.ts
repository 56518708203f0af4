import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { timeText } from "../../clock.ts";
import { AppError } from "../../error.ts";

/** A certificate authority: its certificates and its key, in PEM. */
export interface Authority {
  /** The authority's own certificate first; its issuers' may follow, up to the root. */
  certificate: string;
  /** PKCS#8, RSA or EC. */
  key: string;
}

/** An authority that has been checked and can sign. */
export interface Signer {
  /** The authority's own certificate. */
  certificate: X509Certificate;
  /** The certificates from the authority's own to its root, in PEM. */
  chain: string[];
  key: KeyObject;
  /** How the key signs, in WebCrypto's terms. */
  algorithm: { name: string; hash: string; namedCurve?: string };
  /** The time in which all certificates of the chain are valid, in milliseconds since the epoch. */
  validFrom: number;
  validTo: number;
}

/**
 * Checks an authority; throws Invalid, with the reason, unless it can sign at `now` (ms since the
 * epoch).
 */
export function checkAuthority(authority: Authority, now: number): Signer {
  const certificates = certificatesOf(authority.certificate);
  const key = keyOf(authority.key);
  const [own] = certificates;
  if (!own?.checkPrivateKey(key)) throw invalid("key does not belong to its certificate");
  if (!certificates.every(({ ca }) => ca)) throw invalid("certificate may not sign others");
  const signers = certificates.slice(1);
  if (!signers.every((signer, index) => certificates[index]?.verify(signer.publicKey))) {
    throw invalid("certificates are not in order, each signed by the next");
  }
  const validFrom = Math.max(...certificates.map((one) => Date.parse(one.validFrom)));
  const validTo = Math.min(...certificates.map((one) => Date.parse(one.validTo)));
  if (now < validFrom) throw invalid(`certificate is not valid before ${timeText(validFrom)}`);
  if (now >= validTo) throw invalid(`certificate has ended at ${timeText(validTo)}`);
  return {
    certificate: own,
    chain: certificates.map(String),
    key,
    algorithm: algorithmOf(key),
    validFrom,
    validTo,
  };
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesOf(pem: string): X509Certificate[] {
  const found = pem.match(pemCertificate) ?? [];
  if (found.length === 0) throw invalid("certificate is not in PEM");
  try {
    return found.map((one) => new X509Certificate(one));
  } catch (error) {
    throw invalid("certificate cannot be read", error);
  }
}

function keyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw invalid("key cannot be read: it has to be a private key in PEM, not encrypted", error);
  }
}

const curves: Record<string, { namedCurve: string; hash: string }> = {
  prime256v1: { namedCurve: "P-256", hash: "SHA-256" },
  secp384r1: { namedCurve: "P-384", hash: "SHA-384" },
  secp521r1: { namedCurve: "P-521", hash: "SHA-512" },
};

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Signer["algorithm"] {
  const { modulusLength = 0, namedCurve = "" } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === "rsa") {
    // Clients trust no shorter RSA key.
    if (modulusLength < 2048) throw invalid("key has to have at least 2048 bits");
    return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
  const curve = curves[namedCurve];
  if (asymmetricKeyType === "ec" && curve) return { name: "ECDSA", ...curve };
  throw invalid("key has to be an RSA key or an EC key on P-256, P-384 or P-521");
}

function invalid(what: string, cause?: unknown): AppError {
  return new AppError("Invalid", `the authority's ${what}`, { cause });
}
