import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { world } from "./fixture.ts";

async function valueFor(expression: string, input: unknown = {}): Promise<unknown> {
  const ended = await world().run(
    { P: { Type: "Pass", Output: `{% ${expression} %}`, End: true } },
    input,
  );
  return ended.error ?? ended.result;
}

describe("the functions that Step Functions adds", () => {
  it.each([
    [`$parse('{"a": [1]}').a`, [1]],
    [`$range(1, 9, 2)`, [1, 3, 5, 7, 9]],
    [`$range(3, 1, -1)`, [3, 2, 1]],
    [`$partition([1, 2, 3, 4, 5], 2)`, [[1, 2], [3, 4], [5]]],
    [`$hash('text', 'SHA-256')`, createHash("sha256").update("text").digest("hex")],
    [`$random(42) = $random(42)`, true],
    [`$random(42) = $random(43)`, false],
    [`$now()`, "2026-01-01T00:00:00.000Z"],
    [`$now('[Y]/[M]')`, "2026/1"],
    [`$millis()`, Date.UTC(2026, 0, 1)],
  ])("%s", async (expression, value) => {
    expect(await valueFor(expression)).toEqual(value);
  });

  it("makes version 4 UUIDs that differ", async () => {
    const [one, other] = (await valueFor("[$uuid(), $uuid()]")) as string[];
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(one).not.toBe(other);
  });

  it("takes $random from the engine's randomness", async () => {
    const { run } = world({ random: () => 0.25 });
    const { result } = await run({ P: { Type: "Pass", Output: "{% $random() %}", End: true } });
    expect(result).toBe(0.25);
  });
});

describe("what States.QueryEvaluationError is for", () => {
  it.each([
    ["an undefined result", "$states.input.missing"],
    ["a type error", "1 + 'one'"],
    ["$eval", "$eval('1 + 1')"],
    ["a function as the result", "$sum"],
    ["text that is not JSON", "$parse('{')"],
  ])("%s", async (_, expression) => {
    expect(await valueFor(expression)).toBe("States.QueryEvaluationError");
  });

  it("says which field of which state, in the history too", async () => {
    const { run, engine } = world();
    const states = { P: { Type: "Pass", Output: { a: ["{% $nothing %}"] }, End: true } };
    const { arn, cause } = await run(states);
    expect(cause).toBe(
      "The JSONata expression '$nothing' specified for the field 'Output/a[0]' returned nothing (undefined).",
    );
    expect(engine.history(arn)[2]).toMatchObject({
      type: "EvaluationFailed",
      evaluationFailedEventDetails: { state: "P", location: "Output", cause },
    });
  });

  it("is what a Retry and a Catch see", async () => {
    const { run } = world({ integrations: { "lambda:invoke": async () => ({}) } });
    const { result } = await run({
      T: {
        Type: "Task",
        Resource: "arn:aws:states:::lambda:invoke",
        Output: "{% $states.result.missing %}",
        Catch: [
          {
            ErrorEquals: ["States.QueryEvaluationError"],
            Output: "{% $states.errorOutput.Error %}",
            Next: "End",
          },
        ],
        End: true,
      },
      End: { Type: "Succeed" },
    });
    expect(result).toBe("States.QueryEvaluationError");
  });
});

describe("the limit of 256 KiB", () => {
  const large = `$join($range(1, 1000, 1).$pad('', 300, 'x'))`;

  it("fails a state whose output is larger", async () => {
    expect(await valueFor(large)).toBe("States.DataLimitExceeded");
  });

  it("fails a state whose variables are larger", async () => {
    const { error } = await world().run({
      P: { Type: "Pass", Assign: { v: `{% ${large} %}` }, End: true },
    });
    expect(error).toBe("States.DataLimitExceeded");
  });

  it("is not caught by States.ALL, only by its name", async () => {
    const { run } = world({ integrations: { "lambda:invoke": async () => "x".repeat(300_000) } });
    const task = (name: string) => ({
      T: {
        Type: "Task",
        Resource: "arn:aws:states:::lambda:invoke",
        Catch: [{ ErrorEquals: [name], Output: "caught", Next: "End" }],
        End: true,
      },
      End: { Type: "Succeed" },
    });
    expect((await run(task("States.ALL"))).error).toBe("States.DataLimitExceeded");
    expect((await run(task("States.DataLimitExceeded"))).result).toBe("caught");
  });
});
