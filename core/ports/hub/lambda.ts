import * as z from "zod";
import { AppError, type ErrorKind, errorKinds } from "../../error.ts";
import { FunctionFailed, type LambdaCaller } from "../aws/lambda.ts";
import type { Owner } from "../owner.ts";
import {
  type CredentialReading,
  type CredentialRequest,
  credentialsSchema,
  issuanceSchema,
  revocationSchema,
} from "./credentials/port.ts";
import type { AskableHubs } from "./hub.ts";

const secretSchema = z.string().optional();

/**
 * Hubs for the API, which cannot reach them: it invokes the worker of the hub zone, which calls the hub and
 * answers at once. The answers are not stored.
 */
export function hubsThroughWorker(caller: LambdaCaller, worker: string): AskableHubs {
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
      | { reading: CredentialReading }
      | { issue: CredentialRequest }
      | { revoke: true }
    ));

/**
 * Translates an error. An error that the worker did not throw itself is the platform's: a timeout,
 * or out of memory.
 */
function translated(error: FunctionFailed): AppError {
  const kind = error.type in errorKinds ? (error.type as ErrorKind) : "Unavailable";
  return new AppError(kind, "the hub's worker failed", { detail: error.type, cause: error });
}
