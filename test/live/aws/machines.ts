import { readFile } from "node:fs/promises";
import {
  CreateStateMachineAliasCommand,
  CreateStateMachineCommand,
  DeleteStateMachineAliasCommand,
  DeleteStateMachineCommand,
  SFNClient,
} from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../core/kernel/saga/workflow.ts";
import type { Arns } from "../../../core/ports/workflow/step-functions/arns.ts";
import { stepFunctions } from "../../../core/ports/workflow/step-functions/step-functions.ts";
import { sagas } from "../../../statemachines/index.ts";
import { access, unique } from "./endpoint.ts";
import { isMoto } from "./moto.ts";

export interface LiveMachines {
  workflow: Workflow;
  arns: Arns;
  client: SFNClient;
  close(): Promise<void>;
}

const folder = new URL("../../../statemachines/generated/", import.meta.url);
const account = process.env.AWS_ACCOUNT_ID ?? "123456789012";

/**
 * Every saga's state machine, from the committed ASL, with workers that there are not; asked through
 * an alias, as when it is deployed, but for moto, which starts nothing through one.
 */
export async function liveMachines(): Promise<LiveMachines> {
  const client = new SFNClient(access);
  const prefix = unique();
  const made: string[] = [];
  const aliases: string[] = [];
  const hasAliases = !(await isMoto(access.endpoint));
  for (const saga of Object.keys(sagas)) {
    const text = await readFile(new URL(`${saga}.asl.json`, folder), "utf8");
    const { stateMachineArn = "", stateMachineVersionArn = "" } = await client.send(
      new CreateStateMachineCommand({
        name: `${prefix}-${saga}`,
        definition: text.replaceAll(
          /\$\{(\w+)Worker\}/g,
          `arn:aws:lambda:${access.region}:${account}:function:${prefix}-$1`,
        ),
        roleArn: process.env.AWS_STATES_ROLE ?? `arn:aws:iam::${account}:role/slipway-test`,
        publish: true,
      }),
    );
    made.push(stateMachineArn);
    if (!hasAliases) continue;
    const { stateMachineAliasArn = "" } = await client.send(
      new CreateStateMachineAliasCommand({
        name: "live",
        routingConfiguration: [{ stateMachineVersionArn, weight: 100 }],
      }),
    );
    aliases.push(stateMachineAliasArn);
  }
  const machine = (saga: string) => made[Object.keys(sagas).indexOf(saga)] ?? "";
  const arns: Arns = {
    stateMachine: (saga) => (hasAliases ? `${machine(saga)}:live` : machine(saga)),
    execution: (saga, name) => `${machine(saga).replace(":stateMachine:", ":execution:")}:${name}`,
  };
  return {
    workflow: stepFunctions(client, arns),
    arns,
    client,
    close: async () => {
      for (const stateMachineAliasArn of aliases)
        await client.send(new DeleteStateMachineAliasCommand({ stateMachineAliasArn }));
      for (const stateMachineArn of made)
        await client.send(new DeleteStateMachineCommand({ stateMachineArn }));
      client.destroy();
    },
  };
}
