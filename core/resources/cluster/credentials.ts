import * as z from "zod";
import { ownerOf } from "../../at-site/owner.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Action } from "../../kernel/request/action.ts";
import { type Caller, mustSee } from "../../kernel/request/caller.ts";
import type { RequestDeps } from "../../kernel/request/request-deps.ts";
import {
  type ClusterCredentials,
  type Issuance,
  type IssuedCredential,
  issuedCredentialSchema,
  revocationSchema,
} from "../../ports/hub/credentials/port.ts";
import type { Owner } from "../../ports/owner.ts";
import { fromHub } from "./from-hub.ts";
import type { Cluster } from "./model.ts";

/** Short-lived credentials of a cluster: its hub issues them, and Slipway does not store them. */

/** The largest signing request, in bytes. */
const csrLimit = 8192;
const pem =
  /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=]+\r?\n)+-----END CERTIFICATE REQUEST-----\s*$/;

/** The API checks only the form of the signing request; the hub's worker parses it. */
const requestSchema = z.strictObject({
  csr: z
    .string()
    .max(csrLimit, `must not be larger than ${csrLimit} bytes`)
    .regex(pem, "must be a certificate signing request in PEM")
    .describe("A certificate signing request (PKCS#10) in PEM, at most 8192 bytes."),
});

/** An example, for a user named ann. */
const exampleRequest = {
  csr: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIH9MIGlAgEAMEMxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMSgwJgYDVQQDDB9z",
    "eXN0ZW06Y3VzdG9tZXItYnJlYWstZ2xhc3M6YW5uMFkwEwYHKoZIzj0CAQYIKoZI",
    "zj0DAQcDQgAEsrER/ND4jR9jai0MpvYPF9+q6OcA7x0S7IoD+cut6iQq/EL4AEuU",
    "Z4AszQEPWm7Q8mEbtzrN0j5nJNHrEd7PVqAAMAoGCCqGSM49BAMCA0cAMEQCIGEK",
    "CUofa6C/9By4Z05bFs0VQblYSUQIHZ8t+RT5310xAiAbykzC2XsQdYNUh/VvgmRQ",
    "UjFuVkfRz2pnGPZpqZUFOQ==",
    "-----END CERTIFICATE REQUEST-----",
  ].join("\n"),
};

export const issue: Action<"cluster", z.output<typeof requestSchema>> = {
  summary: "Issue a credential",
  description:
    "A certificate of 24 hours for a key of your own, signed by the cluster, and a kubeconfig with it.",
  path: "credentials",
  schema: requestSchema,
  example: exampleRequest,
  command: "issue-credential",
  destroys: false,
  takesVersion: false,
  isCredential: true,
  answer: () => issuedCredentialSchema,
  async carryOut({ deps, caller, id, input: { csr } }) {
    const cluster = await readyCluster(deps, caller, id);
    const request = { csr, user: caller.user };
    const issuance = await credentialsOnHub(
      deps,
      cluster,
      (credentials, owner) => credentials.issueCredential(owner, request),
      {
        what: "the certificate is not issued yet",
        cure: "send the same request again: it gets the one certificate that is issued meanwhile",
      },
    );
    return { answer: credentialIn(issuance, id) };
  },
};

export const revoke: Action<"cluster"> = {
  summary: "Revoke all credentials",
  description: "Invalidates every certificate that was issued for the cluster.",
  path: "credentials/revoke",
  command: "revoke-credentials",
  destroys: true,
  takesVersion: false,
  isCredential: true,
  answer: () => revocationSchema,
  async carryOut({ deps, caller, id }) {
    const cluster = await readyCluster(deps, caller, id);
    const answer = await credentialsOnHub(
      deps,
      cluster,
      (credentials, owner) => credentials.revokeCredentials(owner),
      {
        what: "it is not known whether the credentials are being revoked",
        cure: "send the same request again until it answers",
      },
    );
    return { answer };
  },
};

function credentialIn(issuance: Issuance, id: string): IssuedCredential {
  switch (issuance.outcome) {
    case "issued":
      return issuance.credential;
    case "waiting":
      throw new AppError("Unavailable", "the certificate is not signed yet; ask again");
    case "not-ready":
      throw notReady(id);
    case "revoking":
      throw failed("the credentials of the cluster are being revoked; ask again when they are");
    case "spent":
      throw failed("this signing request was used before; make one with another key");
    case "invalid":
      throw invalid(issuance.message);
  }
}

const failed = (message: string): AppError => new AppError("FailedPrecondition", message);

const notReady = (id: string): AppError =>
  failed(`cluster with identifier '${id}' has no API yet, or no longer has one`);

const invalid = (message: string): AppError =>
  new AppError("Invalid", `csr ${message}`, { violations: [{ field: "csr", message }] });

/** The cluster, which has to be READY on a hub. Its credentials become invalid with its deletion. */
async function readyCluster(deps: Deps, caller: Caller, id: string): Promise<Cluster> {
  const cluster = await mustSee(deps, caller, "cluster", id);
  const { placement, metadata } = cluster;
  if (!placement || metadata.deletion_timestamp !== undefined) throw notReady(cluster.id);
  return cluster;
}

/** Calls the hub of a cluster. Throws FailedPrecondition for a cluster without a hub, and Unavailable. */
export async function credentialsOnHub<T>(
  deps: RequestDeps,
  cluster: Cluster,
  ask: (credentials: ClusterCredentials, owner: Owner) => Promise<T>,
  unanswered?: Parameters<typeof fromHub>[3],
): Promise<T> {
  const { placement } = cluster;
  if (!placement) throw notReady(cluster.id);
  const read = (credentials: ClusterCredentials) => ask(credentials, ownerOf(cluster));
  return fromHub(deps, placement.hub, read, unanswered);
}
