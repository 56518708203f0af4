import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../core/clock.ts";
import { idSource } from "../../core/id.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { manyWriters } from "../../core/kernel/events/log-time.ts";
import { dynamodbStore } from "../../core/kernel/store/dynamodb/dynamodb.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import type { ZoneWorkers } from "../../core/ports/rechecks/lambda.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { client } from "./client.ts";
import { lambdaLog } from "./lambda-log.ts";

/**
 * The parts of deps on AWS. Each entry point composes only what its function needs, so its bundle shows the rights
 * that its role needs.
 */

export const table = (env: { TABLE: string }): Store =>
  dynamodbStore({ client: new DynamoDBClient(client), table: env.TABLE });

export const workers = (env: {
  CORE_WORKER: string;
  HUB_WORKER: string;
  SITE_WORKER: string;
}): ZoneWorkers => ({ core: env.CORE_WORKER, hub: env.HUB_WORKER, site: env.SITE_WORKER });

/** Composes the dependencies of a function from these parts: its type has no other. */
export const compose = <Parts extends Pick<Deps, "store">>(parts: Parts): Deps & Parts => ({
  kinds,
  clock: systemClock,
  wall: systemClock,
  random: Math.random,
  newId: idSource(systemClock, Math.random),
  logTime: manyWriters(systemClock),
  log: lambdaLog(),
  ...parts,
});
