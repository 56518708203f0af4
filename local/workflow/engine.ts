import type { DatabaseSync } from "node:sqlite";
import { type Clock, seconds, sleep } from "../../core/clock.ts";
import { checkName, executionArn, roleArn, stateMachineArn } from "./arn.ts";
import type { Integrations, Run } from "./branch.ts";
import { Database } from "./database.ts";
import { isLeft, ServiceError } from "./errors.ts";
import { RunningExecution } from "./execution.ts";
import { type Execution, Executions, type Status } from "./executions.ts";
import { type Ended, executionEnded, executionStarted, type HistoryEvent } from "./history.ts";
import { Journal } from "./journal.ts";
import { dataLimit, eventLimit } from "./limits.ts";
import { type Machine, Machines } from "./machines.ts";
import { systemRandom, uuid } from "./random.ts";
import { runScope } from "./scope.ts";
import { Tokens } from "./tokens.ts";

export interface EngineOptions {
  /** The database: a file, `:memory:`, or an open one; the engine closes it. */
  database: string | DatabaseSync;
  /** The clock of all waits, retries, timeouts and heartbeats; the caller may scale it. */
  clock: Clock;
  /** The services that Task states may call, by names such as `lambda:invoke`. */
  integrations: Integrations;
  /** Random numbers of at least 0 and below 1; by default from the system's generator. */
  random?: () => number;
}

/** Executions removed in one transaction. */
const pruneBatch = 50;

/** The pause before an execution continues after a full disk. */
const pause = seconds(10);

interface Live {
  /** The latest pass through the execution. */
  running: RunningExecution;
  done: Promise<void>;
}

/** A state machine with the text of its definition. */
type DescribedMachine = Machine & { text: string };

export interface Page {
  limit: number;
  /** The `id` of the last element of the previous page. */
  after?: number | undefined;
}

/**
 * Step Functions on a laptop: interprets state machines in JSONata. Every act and decision of an execution is stored
 * before it has effects, so that a new engine on the same database continues after a kill; a task whose call had not
 * answered is called again. Written by hand: aws-local-stepfunctions supports no JSONata and stores nothing. Its
 * methods throw `ServiceError` with AWS's names.
 */
export class WorkflowEngine {
  readonly #options: EngineOptions;
  readonly #random: () => number;
  readonly #database: Database;
  readonly #machines: Machines;
  readonly #executions: Executions;
  readonly #tokens: Tokens;
  readonly #closing = new AbortController();
  readonly #live = new Map<string, Live>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#random = options.random ?? systemRandom;
    this.#database = new Database(options.database);
    this.#machines = new Machines(this.#database, new Set(Object.keys(options.integrations)));
    this.#executions = new Executions(this.#database);
    this.#tokens = new Tokens(this.#database, options.clock);
  }

  /** Creates or changes a state machine; running executions keep the definition they started with. */
  createStateMachine(name: string, definition: string | object): Machine {
    checkName(name);
    const text = typeof definition === "string" ? definition : JSON.stringify(definition);
    return this.#machines.put(name, text, this.#options.clock.now());
  }

  findStateMachine(arn: string): DescribedMachine | undefined {
    const machine = this.#machines.find(arn);
    return machine && { ...machine, text: this.#machines.text(machine.definition) };
  }

  describeStateMachine(arn: string): DescribedMachine {
    const machine = this.#machines.get(arn);
    return { ...machine, text: this.#machines.text(machine.definition) };
  }

  /** Lists state machines in the order of their creation. */
  listStateMachines(page: Page): Machine[] {
    return this.#machines.list(page.limit, page.after);
  }

  /**
   * `stateMachine` is a name or an ARN, `input` is JSON text. A repeated name with the same input means the running
   * execution; any other repetition throws `ExecutionAlreadyExists`.
   */
  startExecution(stateMachine: string, name = uuid(this.#random), input = "{}"): Execution {
    checkName(name);
    checkInput(input);
    const isArn = stateMachine.startsWith("arn:");
    const machine = this.#machines.get(isArn ? stateMachine : stateMachineArn(stateMachine));
    const arn = executionArn(machine.name, name);
    const existing = this.#executions.find(arn);
    if (existing !== undefined) {
      if (existing.status === "RUNNING" && existing.input === input) return existing;
      throw new ServiceError("ExecutionAlreadyExists", `Execution Already Exists: '${arn}'`);
    }
    const started = this.#options.clock.now();
    const { definition } = machine;
    this.#executions.insert(
      { arn, machine: machine.arn, name, definition, input, started },
      executionStarted(input, roleArn),
    );
    const execution = this.#executions.get(arn);
    this.#take(execution);
    return execution;
  }

  /** Continues the executions that an earlier engine on this database left running. */
  resume(): void {
    for (const execution of this.#executions.running()) {
      if (!this.#live.has(execution.arn)) this.#take(execution);
    }
  }

  describe(arn: string): Execution {
    return this.#executions.get(arn);
  }

  /** The state machine of an execution, and the definition that the execution began with. */
  describeFor(arn: string): { machine: Machine; text: string } {
    const { machine, definition } = this.#executions.get(arn);
    return { machine: this.#machines.get(machine), text: this.#machines.text(definition) };
  }

  /** Lists executions, the newest first. */
  listExecutions(stateMachine: string, page: Page, status?: Status): Execution[] {
    const machine = this.#machines.get(stateMachine);
    return this.#executions.list(machine.arn, status, page.limit, page.after);
  }

  /** The events of an execution, the oldest first unless reversed; all of them by default. */
  history(arn: string, page: Page = { limit: eventLimit + 1 }, reverse = false): HistoryEvent[] {
    const { arn: existing } = this.#executions.get(arn);
    return this.#executions.events(existing, page.limit, reverse, page.after);
  }

  /** Answers a token with JSON text, which is stored when this returns. */
  sendTaskSuccess(token: string, output: string): void {
    this.#tokens.answer(token, { output: parseOutput(output) });
  }

  sendTaskFailure(token: string, error = "States.TaskFailed", cause?: string): void {
    this.#tokens.answer(token, { error, cause });
  }

  sendTaskHeartbeat(token: string): void {
    this.#tokens.heartbeat(token);
  }

  /**
   * Stops an execution, and resolves when it has ended. Its state is ABORTED unless it had ended
   * before.
   */
  async stopExecution(arn: string, error?: string, cause?: string): Promise<Execution> {
    const execution = this.#executions.get(arn);
    if (execution.status !== "RUNNING") return execution;
    if (!this.#live.has(arn)) this.#take(execution);
    const live = this.#live.get(arn);
    live?.running.stop({ error, cause });
    return this.settled(arn);
  }

  /** Resolves with the execution once it has ended, or when the engine closes. */
  async settled(arn: string): Promise<Execution> {
    const execution = this.#executions.get(arn);
    const live = this.#live.get(arn);
    if (live === undefined) return execution;
    await live.done;
    return this.#closing.signal.aborted ? execution : this.#executions.get(arn);
  }

  /** Removes executions that ended more than `age` milliseconds ago, and definitions that only they used. */
  async prune(age: number): Promise<void> {
    const before = this.#options.clock.now() - age;
    while (!this.#closing.signal.aborted) {
      if (this.#executions.prune(before, pruneBatch) < pruneBatch) return this.#machines.prune();
      // In small transactions, so that running executions can write in between.
      await new Promise(setImmediate);
    }
  }

  /** Stops all timers and closes the database; the next engine continues the running executions. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new Error("the workflow engine is closing"));
      for (const { running } of this.#live.values()) running.leave();
    }
    await Promise.all([...this.#live.values()].map((live) => live.done));
    this.#database.close();
  }

  #take(execution: Execution): void {
    if (this.#closing.signal.aborted) throw new Error("the workflow engine is closed");
    const live: Live = { running: this.#walk(execution), done: Promise.resolve() };
    live.done = this.#drive(execution, live).finally(() => this.#live.delete(execution.arn));
    this.#live.set(execution.arn, live);
  }

  /** Runs an execution until its end is written, or the engine closes. */
  async #drive(execution: Execution, live: Live): Promise<void> {
    const { signal } = this.#closing;
    while (!(await this.#ends(execution.arn, live.running))) {
      // Rejects when the engine closes, which ends the loop.
      await sleep(this.#options.clock, pause, signal).catch(() => {});
      if (signal.aborted) return;
      live.running = this.#walk(execution, live.running);
    }
  }

  /** Whether the end of the execution is written. */
  async #ends(arn: string, running: RunningExecution): Promise<boolean> {
    const ended = await running.run();
    if (ended === undefined) return false;
    try {
      this.#end(arn, running, ended);
      return true;
    } catch (thrown) {
      if (isLeft(thrown)) return false;
      throw thrown;
    }
  }

  /** Passes through the execution from its start, and skips what is in the journal of an earlier pass. */
  #walk(execution: Execution, earlier?: RunningExecution): RunningExecution {
    const { clock, integrations } = this.#options;
    const { arn } = execution;
    const journal = new Journal(this.#database, arn, clock);
    const run: Run = {
      execution: arn,
      journal,
      tokens: this.#tokens,
      clock,
      random: this.#random,
      integrations,
      closing: this.#closing.signal,
      runScope,
    };
    const definition = this.#machines.definition(execution.definition);
    return new RunningExecution(run, execution, definition, earlier);
  }

  #end(arn: string, running: RunningExecution, ended: Ended): void {
    running.journal.end(running.trail, executionEnded(ended), () => {
      this.#executions.end(arn, ended, this.#options.clock.now());
      this.#tokens.closeAll(arn);
    });
  }
}

function checkInput(input: string): void {
  if (Buffer.byteLength(input) > dataLimit) {
    throw new ServiceError(
      "InvalidExecutionInput",
      "Invalid State Machine Execution Input: too large",
    );
  }
  try {
    JSON.parse(input);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError(
      "InvalidExecutionInput",
      `Invalid State Machine Execution Input: '${reason}'`,
    );
  }
}

function parseOutput(output: string) {
  try {
    return JSON.parse(output);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError("InvalidOutput", `Invalid Output: '${reason}'`);
  }
}
