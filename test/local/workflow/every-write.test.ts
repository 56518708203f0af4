import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { Database } from "../../../local/workflow/database.ts";
import type { HistoryEvent } from "../../../local/workflow/history.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { crashed } from "./crash.ts";
import { databaseFile, named, type World, world } from "./fixture.ts";
import { invoke, invokeAndWait, type States } from "./machine.ts";

/** Every kind of state, with a retry, a catch and answers by token, in one definition. */
const states = {
  Begin: { Type: "Pass", Assign: { operation: "op-1", failure: null }, Next: "Reserve" },
  Reserve: {
    Type: "Task",
    Resource: invokeAndWait,
    Arguments: { token: "{% $states.context.Task.Token %}", does: "answer" },
    TimeoutSeconds: 900,
    Next: "Flaky",
  },
  Flaky: {
    Type: "Task",
    Resource: invoke,
    Arguments: {
      does: "{% $states.context.State.RetryCount < 2 ? 'fail' : 'return' %}",
      operation: "{% $operation %}",
    },
    Retry: [{ ErrorEquals: ["Unavailable"], IntervalSeconds: 3 }],
    Next: "Both",
  },
  Both: {
    Type: "Parallel",
    Branches: [
      {
        StartAt: "Rest",
        States: {
          Rest: { Type: "Wait", Seconds: 20, Next: "Attach" },
          Attach: {
            Type: "Task",
            Resource: invokeAndWait,
            Arguments: { token: "{% $states.context.Task.Token %}", does: "answer" },
            End: true,
          },
        },
      },
      {
        StartAt: "Each",
        States: {
          Each: {
            Type: "Map",
            Items: [1, 2, 3],
            MaxConcurrency: 2,
            ItemProcessor: {
              StartAt: "One",
              States: {
                One: {
                  Type: "Task",
                  Resource: invoke,
                  Arguments: { does: "return", item: "{% $states.input %}" },
                  Output: "{% $states.result.item * 2 %}",
                  End: true,
                },
              },
            },
            End: true,
          },
        },
      },
    ],
    Next: "Refused",
  },
  Refused: {
    Type: "Task",
    Resource: invoke,
    Arguments: { does: "reject" },
    Catch: [
      {
        ErrorEquals: ["States.ALL"],
        Assign: { failure: "{% $states.errorOutput.Error %}" },
        Output: "{% $states.input %}",
        Next: "Choose",
      },
    ],
    Next: "Choose",
  },
  Choose: {
    Type: "Choice",
    Choices: [{ Condition: "{% $failure = 'Rejected' %}", Next: "End" }],
    Default: "Refused",
  },
  End: { Type: "Succeed", Output: "{% {'branches': $states.input, 'failure': $failure} %}" },
};

const asked = z.object({ does: z.string(), token: z.string().optional() });

/** A worker that does as its arguments say; a token that is over is not its trouble. */
async function work(it: World, args: unknown): Promise<unknown> {
  const { does, token } = asked.parse(args);
  if (does === "fail") throw named("Unavailable");
  if (does === "reject") throw named("Rejected");
  if (token !== undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      it.engine.sendTaskSuccess(token, '"answered"');
    } catch (error) {
      expect(error).toMatchObject({ name: "TaskTimedOut" });
    }
  }
  return args;
}

function worldOn(database: string, clock: VirtualClock): World {
  const it: World = world({
    database,
    clock,
    integrations: { "lambda:invoke": (args) => work(it, args) },
  });
  return it;
}

interface Crash {
  file: string;
  time: number;
}

/** Is asked for the time within each transaction: there, others see what was before it. */
class CrashingClock extends VirtualClock {
  readonly crashes: Crash[] = [];
  file = "";
  #busy = false;

  override now(): number {
    const time = super.now();
    if (this.file !== "" && !this.#busy) {
      this.#busy = true;
      this.crashes.push({ file: crashed(this.file), time });
      this.#busy = false;
    }
    return time;
  }
}

/**
 * Each event with the one before it in its branch, in no order. Whether a call or its token is first
 * may differ after a crash, so TaskSubmitted is left out.
 */
function linksOf(events: HistoryEvent[]): string[] {
  const told = events.filter((event) => event.type !== "TaskSubmitted");
  const nameOf = (id: number): string => {
    const event = events[id - 1];
    if (event?.type === "TaskSubmitted") return nameOf(event.previousEventId);
    return event?.type ?? "nothing";
  };
  return told.map((event) => `${nameOf(event.previousEventId)} > ${event.type}`).sort();
}

/** Runs the states whole, then once for each write, killed just before it. Gives how they end. */
async function runAndKill(states: States) {
  const file = databaseFile();
  const clock = new CrashingClock();
  const whole = worldOn(file, clock);
  const { arn } = whole.start(states);
  clock.file = file;
  const { output, status, error } = await clock.until(whole.engine.settled(arn));
  clock.file = "";
  const links = linksOf(whole.engine.history(arn));
  for (const crash of clock.crashes) {
    const later = worldOn(crash.file, new VirtualClock(crash.time + 1000));
    later.engine.resume();
    const ended = await later.clock.until(later.engine.settled(arn));
    expect(ended).toMatchObject({ status, output, error });
    const events = later.engine.history(arn);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    expect(events.every((event) => event.previousEventId < event.id)).toBe(true);
    expect(linksOf(events)).toEqual(links);
    await later.engine.close();
  }
  return { status, output, error, crashes: clock.crashes.length };
}

describe("an execution that is killed", () => {
  it("comes to the same end and the same history wherever that happens", async () => {
    const { crashes, ...ended } = await runAndKill(states);
    expect(ended).toEqual({
      status: "SUCCEEDED",
      output: '{"branches":["answered",[2,4,6]],"failure":"Rejected"}',
      error: null,
    });
    expect(crashes).toBeGreaterThan(50);
  });

  it("fails as before when a branch fails while another one waits", async () => {
    const steps = Array.from({ length: 8 }, (_, n) => [
      `P${n}`,
      { Type: "Pass", Next: `P${n + 1}` },
    ]);
    const waiting = {
      Type: "Task",
      Resource: invokeAndWait,
      Arguments: { does: "wait" },
      End: true,
    };
    const { crashes, ...ended } = await runAndKill({
      Both: {
        Type: "Parallel",
        Branches: [
          {
            StartAt: "Rest",
            States: {
              Rest: { Type: "Wait", Seconds: 5, Next: "Fail" },
              Fail: { Type: "Fail", Error: "Mine" },
            },
          },
          { StartAt: "P0", States: { ...Object.fromEntries(steps), P8: waiting } },
        ],
        End: true,
      },
    });
    expect(ended).toEqual({ status: "FAILED", output: null, error: "Mine" });
    expect(crashes).toBeGreaterThan(20);
  });
});

describe("an execution that finds the disk full", () => {
  /** Runs the states with no room for `missed` writes from the `first` on; without it, counts the writes. */
  async function runFull(first = Infinity, missed = 3) {
    let writes = 0;
    const write = Database.prototype.transaction;
    const it = worldOn(databaseFile(), new VirtualClock());
    const { arn } = it.start(states);
    const spy = vi.spyOn(Database.prototype, "transaction").mockImplementation(function (
      this: Database,
      work,
    ) {
      writes += 1;
      if (writes >= first && writes < first + missed)
        throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
      return write.call(this, work);
    });
    try {
      const { status, output } = await it.clock.until(it.engine.settled(arn));
      // Which branch is the last to end depends on how long the disk was full.
      const links = linksOf(it.engine.history(arn)).filter(
        (link) => !link.endsWith("> ParallelStateSucceeded"),
      );
      return { status, output, links, writes };
    } finally {
      spy.mockRestore();
    }
  }

  it("goes on where it was once there is room, whichever write had none", async () => {
    const { writes, ...whole } = await runFull();
    expect(whole.status).toBe("SUCCEEDED");
    for (let first = 1; first <= writes; first++) {
      const { status, output, links } = await runFull(first);
      expect({ first, status, output, links }).toEqual({ first, ...whole });
    }
  });
});
