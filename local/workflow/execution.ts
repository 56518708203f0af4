import { sleep, timestamp } from "../../core/clock.ts";
import { roleArn } from "./arn.ts";
import type { StateMachine } from "./asl.ts";
import type { Branch, Run } from "./branch.ts";
import { Interrupt, isLeft, toStateError } from "./errors.ts";
import type { Execution } from "./executions.ts";
import type { Ended } from "./history.ts";
import type { Journal, Trail } from "./journal.ts";

/** The arguments of StopExecution. */
interface Stop {
  error?: string | undefined;
  cause?: string | undefined;
}

/** One execution that runs in this process. */
export class RunningExecution {
  /** The last event of the execution's history. */
  readonly trail: Trail;
  readonly #run: Run;
  readonly #execution: Execution;
  readonly #definition: StateMachine;
  readonly #controller = new AbortController();
  #stopped: Stop | undefined;

  /** `earlier` is an earlier pass that was abandoned; a request to stop it also stops this one. */
  constructor(
    run: Run,
    execution: Execution,
    definition: StateMachine,
    earlier?: RunningExecution,
  ) {
    this.#run = run;
    this.#execution = execution;
    this.#definition = definition;
    // The history begins with ExecutionStarted.
    this.trail = { last: 1 };
    if (earlier !== undefined && earlier.#stopped !== undefined) this.stop(earlier.#stopped);
  }

  get journal(): Journal {
    return this.#run.journal;
  }

  stop(stopped: Stop): void {
    this.#stopped = stopped;
    this.#controller.abort(new Interrupt("stopped"));
  }

  /** Ends the pass without further writes; the next engine on this database continues it. */
  leave(): void {
    this.#controller.abort(new Interrupt("engine closed"));
  }

  /** Runs the execution. Resolves with its end, or with undefined when it was left unfinished; never rejects. */
  async run(): Promise<Ended | undefined> {
    const over = new AbortController();
    void this.#watchDeadline(AbortSignal.any([this.#controller.signal, over.signal]));
    try {
      const input = JSON.parse(this.#execution.input);
      const output = await this.#run.runScope(this.#definition, this.#branch(), input);
      this.#controller.signal.throwIfAborted();
      return { status: "SUCCEEDED", output: JSON.stringify(output) };
    } catch (thrown) {
      if (isLeft(thrown)) this.#controller.abort(thrown);
      if (thrown instanceof Interrupt) return this.#endedBy(thrown);
      const { error, cause } = toStateError(thrown);
      return { status: "FAILED", error, cause };
    } finally {
      over.abort();
    }
  }

  #branch(): Branch {
    const { arn, name, machine, input, started } = this.#execution;
    return {
      run: this.#run,
      path: "",
      trail: this.trail,
      signal: this.#controller.signal,
      context: {
        Execution: {
          Id: arn,
          Input: JSON.parse(input),
          Name: name,
          RoleArn: roleArn,
          StartTime: timestamp(started),
          RedriveCount: 0,
        },
        StateMachine: { Id: machine, Name: machine.slice(machine.lastIndexOf(":") + 1) },
      },
      variables: {},
    };
  }

  #endedBy(interrupt: Interrupt): Ended | undefined {
    switch (interrupt.reason) {
      case "stopped":
        return { status: "ABORTED", ...this.#stopped };
      case "timed out":
        return { status: "TIMED_OUT", error: "States.Timeout" };
      case "engine closed":
      case "not written":
        return undefined;
      case "sibling failed":
        return { status: "FAILED", error: "States.Runtime", cause: interrupt.message };
    }
  }

  async #watchDeadline(signal: AbortSignal): Promise<void> {
    const { TimeoutSeconds } = this.#definition;
    if (TimeoutSeconds === undefined) return;
    const deadline = this.#execution.started + TimeoutSeconds * 1000;
    try {
      await sleep(this.#run.clock, Math.max(0, deadline - this.#run.clock.now()), signal);
      this.#controller.abort(new Interrupt("timed out"));
    } catch {
      // The execution ended before its deadline, so the timer has nothing to do.
    }
  }
}
