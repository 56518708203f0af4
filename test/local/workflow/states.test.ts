import { describe, expect, it } from "vitest";
import { world } from "./fixture.ts";

describe("Pass", () => {
  it("passes its input on", async () => {
    const { result } = await world().run({ P: { Type: "Pass", End: true } }, { a: 1 });
    expect(result).toEqual({ a: 1 });
  });

  it("evaluates templates wherever they are in the output, and leaves other text alone", async () => {
    const Output = { list: ["{% $states.input.a + 1 %}", "as {% it %} is"], constant: [1, null] };
    const { result } = await world().run({ P: { Type: "Pass", Output, End: true } }, { a: 1 });
    expect(result).toEqual({ list: [2, "as {% it %} is"], constant: [1, null] });
  });

  it("shows the context of the execution and the state", async () => {
    const Output = "{% $states.context %}";
    const { result, arn, name } = await world().run(
      { P: { Type: "Pass", Output, End: true } },
      [7],
    );
    expect(result).toEqual({
      Execution: {
        Id: arn,
        Input: [7],
        Name: name,
        RoleArn: "arn:aws:iam::000000000000:role/local",
        StartTime: "2026-01-01T00:00:00.000Z",
        RedriveCount: 0,
      },
      StateMachine: {
        Id: "arn:aws:states:us-east-1:000000000000:stateMachine:machine-1",
        Name: "machine-1",
      },
      State: { EnteredTime: "2026-01-01T00:00:00.000Z", Name: "P", RetryCount: 0 },
    });
  });
});

describe("Assign", () => {
  it("gives a variable to the states that follow, and not to the state's own Output", async () => {
    const { result } = await world().run({
      First: { Type: "Pass", Assign: { n: 1 }, Next: "Second" },
      Second: { Type: "Pass", Assign: { n: "{% $n + 1 %}" }, Output: "{% $n %}", Next: "Third" },
      Third: { Type: "Pass", Output: "{% {'before': $states.input, 'after': $n} %}", End: true },
    });
    expect(result).toEqual({ before: 1, after: 2 });
  });

  it("shows the outer variables in a branch, and drops the branch's own when it ends", async () => {
    const branch = {
      StartAt: "Inner",
      States: {
        Inner: { Type: "Pass", Assign: { inner: "{% $outer & '!' %}" }, Next: "Last" },
        Last: { Type: "Pass", Output: "{% $inner %}", End: true },
      },
    };
    const { result } = await world().run({
      First: { Type: "Pass", Assign: { outer: "o" }, Next: "Both" },
      Both: { Type: "Parallel", Branches: [branch, branch], Next: "Last one" },
      "Last one": {
        Type: "Pass",
        Output: "{% {'branches': $states.input, 'inner seen': $exists($inner)} %}",
        End: true,
      },
    });
    expect(result).toEqual({ branches: ["o!", "o!"], "inner seen": false });
  });
});

describe("Choice", () => {
  const states = {
    Choose: {
      Type: "Choice",
      Choices: [
        { Condition: "{% $states.input.n > 10 %}", Output: "large", Next: "End" },
        {
          Condition: "{% $states.input.n > 5 %}",
          Assign: { size: "medium" },
          Next: "Show",
        },
      ],
      Output: "by default",
      Default: "End",
    },
    Show: { Type: "Pass", Output: "{% $size %}", Next: "End" },
    End: { Type: "Succeed" },
  };

  it("takes the first choice that holds, with its own Output and Assign", async () => {
    expect((await world().run(states, { n: 11 })).result).toBe("large");
    expect((await world().run(states, { n: 6 })).result).toBe("medium");
  });

  it("takes the default, with the state's Output", async () => {
    expect((await world().run(states, { n: 1 })).result).toBe("by default");
  });

  it("fails without a default when nothing holds", async () => {
    const { status, error } = await world().run({
      Choose: { Type: "Choice", Choices: [{ Condition: false, Next: "End" }] },
      End: { Type: "Succeed" },
    });
    expect({ status, error }).toEqual({ status: "FAILED", error: "States.NoChoiceMatched" });
  });

  it("refuses a condition that is not a boolean", async () => {
    const { error } = await world().run({
      Choose: { Type: "Choice", Choices: [{ Condition: "{% 1 %}", Next: "End" }], Default: "End" },
      End: { Type: "Succeed" },
    });
    expect(error).toBe("States.QueryEvaluationError");
  });
});

describe("Wait", () => {
  it("waits for seconds of the clock", async () => {
    const { run, clock } = world();
    const before = clock.now();
    const Seconds = "{% $states.input.s %}";
    const ended = await run({ W: { Type: "Wait", Seconds, End: true } }, { s: 3600 });
    expect(ended.stopped).toBe(before + 3_600_000);
  });

  it("waits until a time", async () => {
    const Timestamp = "2026-01-02T00:00:00Z";
    const ended = await world().run({ W: { Type: "Wait", Timestamp, End: true } });
    expect(ended.stopped).toBe(Date.parse(Timestamp));
  });

  it("does not wait for a time that is over", async () => {
    const ended = await world().run({
      W: { Type: "Wait", Timestamp: "2025-01-02T00:00:00Z", End: true },
    });
    expect(ended.stopped).toBe(ended.started);
  });

  it.each([{ Seconds: "{% 'soon' %}" }, { Seconds: "{% -1 %}" }, { Timestamp: "tomorrow" }])(
    "refuses %j",
    async (wait) => {
      const { error } = await world().run({ W: { Type: "Wait", ...wait, End: true } });
      expect(error).toBe("States.QueryEvaluationError");
    },
  );
});

describe("Succeed and Fail", () => {
  it("ends with the output of Succeed", async () => {
    const ended = await world().run({ S: { Type: "Succeed", Output: "{% 1 + 1 %}" } });
    expect(ended).toMatchObject({ status: "SUCCEEDED", result: 2 });
  });

  it("ends with the error and cause of Fail", async () => {
    const ended = await world().run(
      { F: { Type: "Fail", Error: "{% $states.input.e %}", Cause: "{% 'be' & 'cause' %}" } },
      { e: "Mine" },
    );
    expect(ended).toMatchObject({
      status: "FAILED",
      error: "Mine",
      cause: "because",
      output: null,
    });
  });
});

describe("the execution's TimeoutSeconds", () => {
  it("ends it as timed out, and no Catch sees it", async () => {
    const { engine, clock } = world({
      integrations: { "lambda:invoke": () => new Promise(() => undefined) },
    });
    engine.createStateMachine("slow", {
      QueryLanguage: "JSONata",
      TimeoutSeconds: 60,
      StartAt: "T",
      States: {
        T: {
          Type: "Task",
          Resource: "arn:aws:states:::lambda:invoke",
          Catch: [{ ErrorEquals: ["States.ALL"], Next: "Caught" }],
          End: true,
        },
        Caught: { Type: "Succeed" },
      },
    });
    const { arn, started } = engine.startExecution("slow");
    const ended = await clock.until(engine.settled(arn));
    expect(ended).toMatchObject({ status: "TIMED_OUT", stopped: started + 60_000 });
    expect(engine.history(arn).map((event) => event.type)).toEqual([
      "ExecutionStarted",
      "TaskStateEntered",
      "TaskScheduled",
      "TaskStarted",
      "TaskStateAborted",
      "ExecutionTimedOut",
    ]);
  });
});
