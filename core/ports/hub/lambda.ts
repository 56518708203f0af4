import * as z from "zod";
import { AppError, type ErrorKind, errorKinds } from "../../error.ts";
import { type Caller, FunctionFailed } from "../aws/lambda.ts";
import type { Owner } from "../owner.ts";
import {
  type CredentialRequest,
  credentialsSchema,
  issuanceSchema,
  type Reading,
  revocationSchema,
} from "./credentials/port.ts";
import type { HubClient, Hubs } from "./hub.ts";

const secretSchema = z.string().optional();

/**
 * Hubs for the API, which cannot reach them: the worker of the hub zone calls the hub and answers
 * at once. Its answers are stored nowhere. Every call is refused except those about credentials, and whether the hub can
 * carry networks.
 */
export function hubsThroughWorker(caller: Caller, worker: string): Hubs {
  async function ask<T>(schema: z.ZodType<T>, call: Call): Promise<T> {
    try {
      const { value } = z.object({ value: schema }).parse(await caller.now(worker, call));
      return value;
    } catch (error) {
      throw error instanceof FunctionFailed ? translated(error) : error;
    }
  }
  return {
    client: async (hub) => ({
      ...refusing,
      networksFault: () => ask(z.string().optional(), { hub, question: "networks" }),
      credentials: {
        readKubeconfig: (owner) => ask(secretSchema, { hub, reading: "readKubeconfig", owner }),
        readPassword: (owner) => ask(secretSchema, { hub, reading: "readPassword", owner }),
        listCredentials: (owner) =>
          ask(credentialsSchema, { hub, reading: "listCredentials", owner }),
        issueCredential: (owner, issue) => ask(issuanceSchema, { hub, issue, owner }),
        revokeCredentials: (owner) => ask(revocationSchema, { hub, revoke: true, owner }),
      },
    }),
  };
}

type Call =
  | { hub: string; question: "networks" }
  | ({ hub: string; owner: Owner } & (
      | { reading: Reading }
      | { issue: CredentialRequest }
      | { revoke: true }
    ));

/** An error of the platform, which the worker did not throw itself: a timeout, or out of memory. */
function translated(error: FunctionFailed): AppError {
  const kind = error.type in errorKinds ? (error.type as ErrorKind) : "Unavailable";
  return new AppError(kind, "the hub's worker failed", { detail: error.type, cause: error });
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new AppError("Internal", "internal error", { detail: "only the hub zone does this on hubs" }),
  );

const refusing: Omit<HubClient, "credentials" | "networksFault"> = {
  probe: refuse,
  readAll: refuse,
  observeAll: refuse,
  metal3: { server: refuse },
  networks: {
    ensureNetwork: refuse,
    removeNetwork: refuse,
    ensureSubnet: refuse,
    removeSubnet: refuse,
    ensureWayOut: refuse,
    removeWayOut: refuse,
    ensureGroup: refuse,
    removeGroup: refuse,
  },
  clusters: {
    ensureControlPlane: refuse,
    ensureNodePools: refuse,
    letLeaveFirst: refuse,
    ensurePullSecret: refuse,
    removeNodePools: refuse,
    setRelease: refuse,
    withdrawRelease: refuse,
    setNodePoolRelease: refuse,
    read: refuse,
    readOperators: refuse,
    removeHostedCluster: refuse,
    removeNamespace: refuse,
  },
  agents: {
    readAll: refuse,
    reserve: refuse,
    release: refuse,
    discoveryImage: refuse,
    forget: refuse,
    hardware: refuse,
    admit: refuse,
  },
};
