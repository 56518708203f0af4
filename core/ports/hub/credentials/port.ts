import { createHash } from "node:crypto";
import * as z from "zod";
import type { Owner } from "../../owner.ts";

/**
 * Short-lived credentials of a hosted cluster: its hub signs certificates for the keys of callers.
 */

/** The lifetime of a credential, in seconds. */
export const credentialLifetime = 24 * 60 * 60;

const commonNamePrefix = "system:customer-break-glass:";
export const organization = "system:masters";
/** The limit of a common name, in bytes (RFC 5280, ub-common-name). */
const longestCommonName = 64;

/**
 * The subject that a user's signing request must have, so that the cluster's audit log names the person. A
 * digest replaces a name that exceeds the limit.
 */
export function commonNameOf(user: string): string {
  const name = commonNamePrefix + user;
  if (user !== "" && Buffer.byteLength(name) <= longestCommonName) return name;
  return commonNamePrefix + createHash("sha256").update(user).digest("hex").slice(0, 32);
}

export const credentialRequestSchema = z.object({
  user: z.string(),
  /** A certificate signing request (PKCS#10) in PEM. */
  csr: z.string(),
});
export type CredentialRequest = z.infer<typeof credentialRequestSchema>;

const lastingSchema = {
  serial: z
    .string()
    .describe("Serial number in hex, as the cluster's audit and `openssl x509 -serial` have it."),
  user: z.string().describe("The user that it was issued for."),
  issue_timestamp: z.iso.datetime().describe("When it was issued."),
  expiration_timestamp: z.iso.datetime().describe("Until when it is good."),
};

export const credentialSchema = z.object({
  ...lastingSchema,
  state: z
    .enum(["CREDENTIAL_STATE_ISSUED", "CREDENTIAL_STATE_REVOKING", "CREDENTIAL_STATE_REVOKED"])
    .describe("Whether it is still good."),
});
export type Credential = z.infer<typeof credentialSchema>;

export const issuedCredentialSchema = z.object({
  ...lastingSchema,
  certificate: z.string().describe("The certificate, in PEM."),
  kubeconfig: z.string().describe("A kubeconfig in YAML, with everything but the private key."),
});
export type IssuedCredential = z.infer<typeof issuedCredentialSchema>;

export const revocationSchema = z.object({
  state: z
    .enum(["REVOCATION_STATE_REVOKING", "REVOCATION_STATE_REVOKED"])
    .describe("Whether the cluster knows of it already."),
  request_timestamp: z.iso.datetime().describe("When it was requested."),
});
export type Revocation = z.infer<typeof revocationSchema>;

export const credentialsSchema = z.object({
  /** The credentials; expired ones stay in the list for a while. */
  items: z.array(credentialSchema),
  /** The latest revocation. */
  revocation: revocationSchema.optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** The result of a request. Repeating the request continues it, and never creates a second certificate. */
export const issuanceSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("issued"), credential: issuedCredentialSchema }),
  /** The caller repeats the request. */
  z.object({ outcome: z.literal("waiting") }),
  /** The cluster has no API yet. */
  z.object({ outcome: z.literal("not-ready") }),
  /** The signing request is invalid; the message is for the caller. */
  z.object({ outcome: z.literal("invalid"), message: z.string() }),
  /** A revocation is in progress. */
  z.object({ outcome: z.literal("revoking") }),
  /**
   * The request's certificate was revoked, or is no longer stored: the caller needs another key.
   */
  z.object({ outcome: z.literal("spent") }),
]);
export type Issuance = z.infer<typeof issuanceSchema>;

/** The port of hosted clusters' credentials, which their hub gives to permitted users. */
export interface ClusterCredentials {
  /** The kubeconfig; undefined until the hosted cluster has one. Never stored, never logged. */
  readKubeconfig(owner: Owner): Promise<string | undefined>;
  readPassword(owner: Owner): Promise<string | undefined>;
  /**
   * Issues a certificate for a caller's own key, valid for 24 hours. Waits up to 15 seconds for it; a
   * repeated request continues. Only the hub stores it.
   */
  issueCredential(owner: Owner, request: CredentialRequest): Promise<Issuance>;
  listCredentials(owner: Owner): Promise<Credentials>;
  /** Starts the revocation of all credentials. */
  revokeCredentials(owner: Owner): Promise<Revocation>;
}

/** The calls that read a cluster's credentials on behalf of its tenant. */
export const readings = ["readKubeconfig", "readPassword", "listCredentials"] as const;
export type CredentialReading = (typeof readings)[number];
