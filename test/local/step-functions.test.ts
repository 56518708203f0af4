import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
} from "@aws-sdk/client-sfn";
import { afterAll, expect, it } from "vitest";
import { sharedDev } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** The unmodified AWS SDK at the real process, with only its endpoint set. */

const slipway = sharedDev();
const clients: SFNClient[] = [];
afterAll(() => {
  for (const client of clients) client.destroy();
});

function sdk(): SFNClient {
  const client = new SFNClient({
    endpoint: slipway().dev.stepfunctions,
    region: "eu-central-1",
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
  });
  clients.push(client);
  return client;
}

async function machines(client: SFNClient): Promise<Record<string, string>> {
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand());
  return Object.fromEntries(
    stateMachines.map(({ name, stateMachineArn }) => [name, stateMachineArn]),
  );
}

it("lists state machines that are named as their sagas", async () => {
  const names = Object.keys(await machines(sdk()));
  expect(names).toEqual(
    expect.arrayContaining(["cluster-create", "cluster-delete", "cluster-scale"]),
  );
});

it("lists and describes executions, named as their operations", async () => {
  const { order, succeeded, remove } = slipway();
  const client = sdk();
  const { id, operation } = await order("described");
  await succeeded(operation);
  const { "cluster-create": stateMachineArn } = await machines(client);
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn }));
  const listed = executions.find(({ name }) => name === operation);
  expect(listed).toBeDefined();
  const executionArn = listed?.executionArn;
  const described = await client.send(new DescribeExecutionCommand({ executionArn }));
  expect(described.status).toBe("SUCCEEDED");
  expect(JSON.parse(described.input ?? "")).toEqual({ operation });
  await remove(id);
});

it("tells the history of a fault-free create in at most 18 states, and in it nothing but ids", async () => {
  const { order, succeeded, remove } = slipway();
  const client = sdk();
  const { id, operation } = await order("a-name-to-look-for", {
    ssh_public_key:
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEfPJrVTCvpnJmmpHTmVFdXdhYUN0Gxm0RBaTXD2Zhmm me",
  });
  await succeeded(operation);
  const { "cluster-create": arn = "" } = await machines(client);
  const executionArn = `${arn.replace(":stateMachine:", ":execution:")}:${operation}`;
  const { events = [] } = await client.send(
    new GetExecutionHistoryCommand({ executionArn, includeExecutionData: true }),
  );
  const entered = events.flatMap((event) => event.stateEnteredEventDetails?.name ?? []);
  expect(entered[0]).toBe("ReserveCapacity");
  expect(entered.length).toBeLessThanOrEqual(18);

  const shown = events.flatMap((event) => [
    event.executionStartedEventDetails?.input,
    event.stateEnteredEventDetails?.input,
    event.stateExitedEventDetails?.output,
    event.executionSucceededEventDetails?.output,
  ]);
  // The id of the operation, and between the steps of a branch that the last one ended well.
  const plain = [JSON.stringify({ operation }), JSON.stringify({ ok: true })];
  for (const text of shown) if (text) expect(plain).toContain(JSON.stringify(JSON.parse(text)));
  for (const { taskScheduledEventDetails: scheduled } of events) {
    if (!scheduled?.parameters) continue;
    const { Payload, ...rest }: Wire = JSON.parse(scheduled.parameters);
    // The first task tells the names of the definition's steps.
    const { plan: _, ...payload } = Payload;
    expect(Object.keys(rest)).toEqual(["FunctionName"]);
    expect(Object.keys(payload).toSorted()).toEqual(["operation", "step", "token"]);
  }
  const all = JSON.stringify(events);
  for (const word of ["a-name-to-look-for", "tenant-a", "ssh-ed25519", "ocp_4_17_small"])
    expect(all).not.toContain(word);
  await remove(id);
});
