import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withWorkers } from "../../core/kernel/saga/asl.ts";
import { type Zone, zones } from "../../core/kernel/saga/saga.ts";
import { keyGrant, machineGrants } from "../permissions.ts";
import type { Deployed } from "./functions.ts";
import { definitions, machineAlias, machinesPrefix, sagaNames } from "./machine-names.ts";
import { roleFor } from "./roles.ts";
import type { Stage } from "./stage.ts";

/**
 * Deploys the committed state machines with the workers' ARNs filled in, each with a version of its definition and
 * an alias. A running execution continues with the version that it began with.
 */
export function stateMachines(
  stage: Stage,
  workers: Record<Zone, Deployed>,
): aws.sfn.StateMachine[] {
  const { prefix, key } = stage;
  const role = roleFor(stage, "StateMachines", {
    name: `${prefix}-state-machines`,
    service: "states.amazonaws.com",
    source: $interpolate`${machinesPrefix(stage)}*`,
    grants: [...machineGrants, ...(key ? [keyGrant] : [])],
    arns: {
      "core-worker": [workers.core.arn],
      "hub-worker": [workers.hub.arn],
      "site-worker": [workers.site.arn],
      ...(key && { key: [key.arn] }),
    },
  });
  const logs = new aws.cloudwatch.LogGroup("StateMachineLogs", {
    // With a group of this name, Step Functions needs no further entry in the account's log policy.
    name: `/aws/vendedlogs/states/${prefix}`,
    retentionInDays: stage.parameters.protected ? 90 : 14,
    ...(key && { kmsKeyId: key.arn }),
  });
  // AWS ends the executions of a deleted state machine, and a rollback would delete those that a later release
  // added.
  const retained = { retainOnDelete: true };
  return sagaNames().map((saga) => {
    const args = {
      name: `${prefix}-${saga}`,
      type: "STANDARD",
      roleArn: role.arn,
      definition: definitionOf(saga, workers),
      publish: true,
      tracingConfiguration: { enabled: true },
      loggingConfiguration: {
        logDestination: $interpolate`${logs.arn}:*`,
        level: "ERROR",
        includeExecutionData: false,
      },
      ...(key && {
        encryptionConfiguration: {
          type: "CUSTOMER_MANAGED_KMS_KEY",
          kmsKeyId: key.arn,
          kmsDataKeyReusePeriodSeconds: 300,
        },
      }),
    };
    const machine = new aws.sfn.StateMachine(`Machine-${saga}`, args, retained);
    const routingConfigurations = [
      { stateMachineVersionArn: machine.stateMachineVersionArn, weight: 100 },
    ];
    new aws.sfn.Alias(`Alias-${saga}`, { name: machineAlias, routingConfigurations }, retained);
    return machine;
  });
}

function definitionOf(saga: string, workers: Record<Zone, Deployed>): $util.Output<string> {
  const text = readFileSync(join(definitions, `${saga}.asl.json`), "utf8");
  return $resolve(zones.map((zone) => workers[zone].arn)).apply((arns) =>
    withWorkers(text, (zone) => arns[zones.indexOf(zone)] ?? ""),
  );
}
