import * as z from "zod";
import { AppError, type ErrorKind, errorKinds } from "../error.ts";
import { FunctionFailed, type Invoker } from "../lambda/invoke.ts";
import type { HubClient, Hubs, Names, Reading } from "./hub.ts";

const answerSchema = z.object({ value: z.string().optional() });

/**
 * Hubs for the API, which has no way to them: the hub zone's worker reads there and answers at
 * once. What it answers is stored nowhere. Everything but reading credentials is refused.
 */
export function hubsThroughWorker(invoker: Invoker, worker: string): Hubs {
  async function read(hub: string, reading: Reading, names: Names): Promise<string | undefined> {
    try {
      return answerSchema.parse(await invoker.now(worker, { hub, reading, names })).value;
    } catch (error) {
      throw error instanceof FunctionFailed ? translated(error) : error;
    }
  }
  return {
    client: async (hub) => ({
      ...refusing,
      readKubeconfig: (names) => read(hub, "readKubeconfig", names),
      readPassword: (names) => read(hub, "readPassword", names),
    }),
  };
}

/** An error that the worker did not throw itself is the platform's: out of time, out of memory. */
function translated(error: FunctionFailed): AppError {
  const kind = error.type in errorKinds ? (error.type as ErrorKind) : "Unavailable";
  return new AppError(kind, "the hub's worker failed", { detail: error.type, cause: error });
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new AppError("Internal", "internal error", { detail: "only the hub zone does this on hubs" }),
  );

const refusing: HubClient = {
  ensureControlPlane: refuse,
  ensureNodePools: refuse,
  removeNodePools: refuse,
  setRelease: refuse,
  withdrawRelease: refuse,
  setNodePoolRelease: refuse,
  read: refuse,
  readAll: refuse,
  observeAll: refuse,
  readOperators: refuse,
  removeHostedCluster: refuse,
  removeNamespace: refuse,
  releaseAgent: refuse,
  readKubeconfig: refuse,
  readPassword: refuse,
  probe: refuse,
};
