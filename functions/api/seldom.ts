import type { Reports } from "../../core/deps.ts";
import type { Caller } from "../../core/lambda/lambda.ts";
import type { Secrets } from "../../core/secrets/secrets.ts";
import { once } from "../once.ts";
import type { SecretEnvironment } from "../secret-store.ts";

/** What not every process needs is loaded with the first request that does: a start is shorter without it. */

export function secretsWhenNeeded(env: SecretEnvironment): Secrets {
  const secrets = once(async () => (await import("./secrets.ts")).apiSecrets(env));
  return {
    get: async (reference) => (await secrets()).get(reference),
    put: async (reference, value) => (await secrets()).put(reference, value),
    remove: async (reference) => (await secrets()).remove(reference),
  };
}

export function hubsBusWhenNeeded(env: { HUBS_BUS: string }): Reports {
  const bus = once(async () => (await import("../buses.ts")).hubsBus(env));
  return { take: async (report) => (await bus()).take(report) };
}

export function callerWhenNeeded(): Caller {
  const caller = once(async () => (await import("../invocation.ts")).caller());
  return { now: async (worker, call) => (await caller()).now(worker, call) };
}
