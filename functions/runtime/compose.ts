import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { idSource } from "../../core/id.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { manyWriters } from "../../core/kernel/events/log-time.ts";
import { dynamodbStore } from "../../core/kernel/store/dynamodb/dynamodb.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import type { ZoneWorkers } from "../../core/ports/rechecks/lambda.ts";
import { unreachable } from "../../core/ports/unreachable.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { client } from "./client.ts";
import { lambdaLog } from "./lambda-log.ts";

/**
 * The parts of deps on AWS. Each entry point composes only what its function needs, so its bundle shows the rights
 * that its role needs. Calls of parts that a function omits throw.
 */

export const table = (env: { TABLE: string }): Store =>
  dynamodbStore({ client: new DynamoDBClient(client), table: env.TABLE });

export const workers = (env: {
  CORE_WORKER: string;
  HUB_WORKER: string;
  SITE_WORKER: string;
}): ZoneWorkers => ({ core: env.CORE_WORKER, hub: env.HUB_WORKER, site: env.SITE_WORKER });

type Parts = Partial<Deps> & Pick<Deps, "store">;

/** Composes the dependencies of a function from these parts. */
export function compose(parts: Parts): Deps {
  return {
    kinds,
    clock: systemClock,
    wall: systemClock,
    random: Math.random,
    newId: idSource(systemClock, Math.random),
    logTime: manyWriters(systemClock),
    log: lambdaLog(),
    secrets: { get: notWired, put: notWired, remove: notWired },
    workflow: {
      start: notWired,
      describe: notWired,
      plan: notWired,
      succeed: notWired,
      fail: notWired,
    },
    bus: { publish: notWired },
    operated: {},
    owners: {},
    observers: {},
    absences: {},
    machines: {},
    rechecks: { request: notWired },
    wakes: { request: notWired },
    reports: { take: notWired },
    webhookQueue: { put: notWired },
    recheckQueue: { put: notWired },
    ...unreachable,
    // Only workers use a timeout, and each gives its own.
    workerTimeout: 0,
    ...parts,
  };
}

/** Throws if a function calls a part that its composition lacks. */
export async function notWired(): Promise<never> {
  throw new AppError("Internal", "internal error", { detail: "not a part of this function" });
}
