import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/error.ts";
import { idSource } from "../core/id.ts";
import { dynamodbStore } from "../core/kernel/store/dynamodb/dynamodb.ts";
import type { Store } from "../core/kernel/store/store.ts";
import type { Workers } from "../core/ports/rechecks/lambda.ts";
import { unreachable } from "../core/unreachable.ts";
import { client } from "./client.ts";
import { lambdaLog } from "./lambda-log.ts";

/**
 * The composition for AWS, in parts: each entry point puts together what its function does and no
 * more, so that its bundle shows what its role must allow. What it leaves out throws.
 */

export const table = (env: { TABLE: string }): Store =>
  dynamodbStore({ client: new DynamoDBClient(client), table: env.TABLE });

export const workers = (env: {
  CORE_WORKER: string;
  HUB_WORKER: string;
  SITE_WORKER: string;
}): Workers => ({ core: env.CORE_WORKER, hub: env.HUB_WORKER, site: env.SITE_WORKER });

type Parts = Partial<Deps> & Pick<Deps, "store">;

/** A composition of these parts. */
export function compose(parts: Parts): Deps {
  return {
    clock: systemClock,
    wall: systemClock,
    random: Math.random,
    newId: idSource(systemClock, Math.random),
    log: lambdaLog(),
    secrets: { get: notHere, put: notHere, remove: notHere },
    workflow: { start: notHere, describe: notHere, succeed: notHere, fail: notHere },
    bus: { publish: notHere },
    looks: { look: notHere },
    reports: { take: notHere },
    webhookQueue: { put: notHere },
    ...unreachable,
    // Only a worker's counts; it says its own.
    workerTimeout: 0,
    ...parts,
  };
}

/** What a function does not do, it may not do either. */
export async function notHere(): Promise<never> {
  throw new AppError("Internal", "internal error", { detail: "not a part of this function" });
}
