/** The supported operations of the Step Functions API, by name. */
import * as z from "zod";
import { checkArn, roleArn, stateMachineArn } from "./arn.ts";
import type { WorkflowEngine } from "./engine.ts";
import { ServiceError } from "./errors.ts";
import type { Execution } from "./executions.ts";
import { dataLimit } from "./limits.ts";
import { paged, paging } from "./paging.ts";
import { readRequest } from "./validation.ts";

type Operation = (engine: WorkflowEngine, body: unknown) => object | Promise<object>;

/** Defines an operation; the schema parses its request. */
function operation<T>(
  request: z.ZodType<T>,
  run: (engine: WorkflowEngine, request: T) => object | Promise<object>,
): Operation {
  return (engine, body) => run(engine, readRequest(request, body));
}

const arn = z.string().min(1).max(256);
const name = z.string().min(1).max(80);
const taskToken = z.string().min(1).max(2048);
const error = z.string().max(256).optional();
const cause = z.string().max(32_768).optional();

/** The protocol's timestamps are in seconds. */
const seconds = (milliseconds: number) => milliseconds / 1000;

const createStateMachine = operation(
  z.object({
    name,
    definition: z.string().min(1).max(1_048_576),
    roleArn: arn,
    type: z.literal("STANDARD").optional(),
  }),
  (engine, { name, definition }) => {
    const existing = engine.findStateMachine(stateMachineArn(name));
    if (existing !== undefined && existing.text !== definition) {
      const message = `State Machine Already Exists: '${existing.arn}'`;
      throw new ServiceError("StateMachineAlreadyExists", message);
    }
    const machine = existing ?? engine.createStateMachine(name, definition);
    return { stateMachineArn: machine.arn, creationDate: seconds(machine.created) };
  },
);

const describeStateMachine = operation(
  z.object({ stateMachineArn: arn }),
  (engine, { stateMachineArn }) => {
    checkArn(stateMachineArn, "stateMachine");
    const machine = engine.describeStateMachine(stateMachineArn);
    return {
      stateMachineArn,
      name: machine.name,
      status: "ACTIVE",
      definition: machine.text,
      roleArn,
      type: "STANDARD",
      creationDate: seconds(machine.created),
    };
  },
);

const listStateMachines = operation(z.object(paging), (engine, request) => {
  const { shown, nextToken } = paged(request, (page) => engine.listStateMachines(page));
  const stateMachines = shown.map((machine) => ({
    stateMachineArn: machine.arn,
    name: machine.name,
    type: "STANDARD",
    creationDate: seconds(machine.created),
  }));
  return { stateMachines, nextToken };
});

const startExecution = operation(
  z.object({ stateMachineArn: arn, name: name.optional(), input: z.string().optional() }),
  (engine, { stateMachineArn, name, input }) => {
    checkArn(stateMachineArn, "stateMachine");
    const execution = engine.startExecution(stateMachineArn, name, input);
    return { executionArn: execution.arn, startDate: seconds(execution.started) };
  },
);

const describeExecution = operation(z.object({ executionArn: arn }), (engine, { executionArn }) => {
  checkArn(executionArn, "execution");
  const execution = engine.describe(executionArn);
  return {
    ...summaryOf(execution),
    input: execution.input,
    inputDetails: { included: true },
    output: execution.output ?? undefined,
    outputDetails: execution.output === null ? undefined : { included: true },
    error: execution.error ?? undefined,
    cause: execution.cause ?? undefined,
    redriveStatus: "NOT_REDRIVABLE",
    redriveStatusReason: "The local engine does not redrive executions",
  };
});

const describeStateMachineForExecution = operation(
  z.object({ executionArn: arn }),
  (engine, { executionArn }) => {
    checkArn(executionArn, "execution");
    const { machine, text } = engine.describeFor(executionArn);
    return {
      stateMachineArn: machine.arn,
      name: machine.name,
      definition: text,
      roleArn,
      updateDate: seconds(machine.created),
    };
  },
);

function summaryOf(execution: Execution): object {
  return {
    executionArn: execution.arn,
    stateMachineArn: execution.machine,
    name: execution.name,
    status: execution.status,
    startDate: seconds(execution.started),
    stopDate: execution.stopped === null ? undefined : seconds(execution.stopped),
    redriveCount: 0,
  };
}

const statusFilter = z
  .enum(["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"])
  .optional();

const listExecutions = operation(
  z.object({ stateMachineArn: arn, statusFilter, ...paging }),
  (engine, request) => {
    const { stateMachineArn, statusFilter } = request;
    checkArn(stateMachineArn, "stateMachine");
    // The engine never redrives executions, so none is pending.
    if (statusFilter === "PENDING_REDRIVE") return { executions: [] };
    const { shown, nextToken } = paged(request, (page) =>
      engine.listExecutions(stateMachineArn, page, statusFilter),
    );
    return { executions: shown.map(summaryOf), nextToken };
  },
);

const getExecutionHistory = operation(
  z.object({ executionArn: arn, reverseOrder: z.boolean().optional(), ...paging }),
  (engine, request) => {
    const { executionArn, reverseOrder } = request;
    checkArn(executionArn, "execution");
    const { shown, nextToken } = paged(request, (page) =>
      engine.history(executionArn, page, reverseOrder),
    );
    return { events: shown, nextToken };
  },
);

const sendTaskSuccess = operation(
  z.object({ taskToken, output: z.string().max(dataLimit) }),
  (engine, { taskToken, output }) => {
    engine.sendTaskSuccess(taskToken, output);
    return {};
  },
);

const sendTaskFailure = operation(
  z.object({ taskToken, error, cause }),
  (engine, { taskToken, error, cause }) => {
    engine.sendTaskFailure(taskToken, error, cause);
    return {};
  },
);

const sendTaskHeartbeat = operation(z.object({ taskToken }), (engine, { taskToken }) => {
  engine.sendTaskHeartbeat(taskToken);
  return {};
});

const stopExecution = operation(
  z.object({ executionArn: arn, error, cause }),
  async (engine, { executionArn, error, cause }) => {
    checkArn(executionArn, "execution");
    const { stopped } = await engine.stopExecution(executionArn, error, cause);
    if (stopped === null) throw new Error("the engine closed before the execution ended");
    return { stopDate: seconds(stopped) };
  },
);

export const operations: ReadonlyMap<string, Operation> = new Map([
  ["CreateStateMachine", createStateMachine],
  ["DescribeStateMachine", describeStateMachine],
  ["ListStateMachines", listStateMachines],
  ["StartExecution", startExecution],
  ["DescribeExecution", describeExecution],
  ["DescribeStateMachineForExecution", describeStateMachineForExecution],
  ["ListExecutions", listExecutions],
  ["GetExecutionHistory", getExecutionHistory],
  ["SendTaskSuccess", sendTaskSuccess],
  ["SendTaskFailure", sendTaskFailure],
  ["SendTaskHeartbeat", sendTaskHeartbeat],
  ["StopExecution", stopExecution],
]);
