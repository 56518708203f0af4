import * as z from "zod";
import { AppError } from "../../core/error.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { mustSee } from "../../core/kernel/request/caller.ts";
import {
  type ClusterCredentials,
  type Credentials,
  credentialSchema,
  type Issuance,
  type IssuedCredential,
  issuedCredentialSchema,
  revocationSchema,
} from "../../core/ports/hub/credentials/port.ts";
import type { Owner } from "../../core/ports/owner.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { ownerOf } from "../../core/resources/site/owner.ts";
import type { Call } from "./call.ts";
import { fromHub } from "./from-hub.ts";
import { pageSchema } from "./list/list.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";

/** Short-lived credentials of a cluster: the hub issues them, and nothing else stores them. */

/** The largest signing request, in bytes. */
const csrLimit = 8192;
const pem =
  /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=]+\r?\n)+-----END CERTIFICATE REQUEST-----\s*$/;

/** Only the hub's worker reads the signing request itself. */
const requestSchema = z.strictObject({
  csr: z
    .string()
    .max(csrLimit, `must not be larger than ${csrLimit} bytes`)
    .regex(pem, "must be a certificate signing request in PEM")
    .describe("A certificate signing request (PKCS#10) in PEM, at most 8192 bytes."),
});

/** The request is for a user named ann. */
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

const listSchema = pageSchema(credentialSchema).extend({
  revocation: revocationSchema.optional().describe("The latest; absent when there was none."),
});

const path = `${prefixes.public}/clusters/{id}/credentials`;

export const credentialRoutes: Route[] = [
  route({
    area: "public",
    subject: "cluster",
    verb: "credentials",
    method: "GET",
    path,
    summary: "List credentials",
    description: "The certificates that were issued and have not expired, the latest first.",
    response: () => listSchema,
    handle: listAnswer,
  }),
  route({
    area: "public",
    subject: "cluster",
    verb: "issue",
    method: "POST",
    path,
    summary: "Issue a credential",
    description:
      "A certificate of 24 hours for a key of your own, signed by the cluster, and a kubeconfig with it.",
    body: requestSchema,
    example: exampleRequest,
    response: () => issuedCredentialSchema,
    handle: issueAnswer,
  }),
  route({
    area: "public",
    subject: "cluster",
    verb: "revoke",
    method: "POST",
    path: `${path}/revoke`,
    summary: "Revoke all credentials",
    description: "Every certificate that was issued for the cluster is invalid from then on.",
    body: emptyBody,
    response: () => revocationSchema,
    handle: revokeAnswer,
  }),
];

async function listAnswer(call: Call): Promise<Response> {
  const cluster = await clusterOf(call);
  const { items: all, revocation }: Credentials = cluster.placement
    ? await onHub(call, cluster, (credentials, owner) => credentials.listCredentials(owner))
    : { items: [] };
  const now = call.deps.clock.now();
  const items = all.filter(({ expiration_timestamp }) => Date.parse(expiration_timestamp) > now);
  return secretJson(call, { size: items.length, total: items.length, items, revocation });
}

async function issueAnswer(call: Call): Promise<Response> {
  const cluster = await readyCluster(call);
  const { csr } = parseOrRefuse(requestSchema, await call.input(requestSchema));
  const request = { csr, user: call.caller.user };
  const issuance = await onHub(
    call,
    cluster,
    (credentials, owner) => credentials.issueCredential(owner, request),
    {
      what: "the certificate is not issued yet",
      cure: "send the same request again: it gets the one certificate that is issued meanwhile",
    },
  );
  return secretJson(call, credentialIn(issuance, cluster.id));
}

async function revokeAnswer(call: Call): Promise<Response> {
  const cluster = await readyCluster(call);
  return secretJson(
    call,
    await onHub(call, cluster, (credentials, owner) => credentials.revokeCredentials(owner), {
      what: "it is not known whether the credentials are being revoked",
      cure: "send the same request again until it answers",
    }),
  );
}

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

const clusterOf = (call: Call): Promise<Cluster> =>
  mustSee(call.deps, call.caller, "cluster", call.param("id"));

/** A cluster that is READY on its hub; its credentials end with it. */
async function readyCluster(call: Call): Promise<Cluster> {
  const cluster = await clusterOf(call);
  const { placement, metadata } = cluster;
  if (!placement || metadata.deletion_timestamp !== undefined) throw notReady(cluster.id);
  return cluster;
}

async function onHub<T>(
  call: Call,
  cluster: Cluster,
  ask: (credentials: ClusterCredentials, owner: Owner) => Promise<T>,
  unanswered?: Parameters<typeof fromHub>[3],
): Promise<T> {
  const { placement } = cluster;
  if (!placement) throw notReady(cluster.id);
  const read = (credentials: ClusterCredentials) => ask(credentials, ownerOf(cluster));
  return fromHub(call, placement.hub, read, unanswered);
}

function secretJson(call: Call, body: object): Response {
  call.c.header("Cache-Control", "no-store");
  return call.c.json(body);
}
