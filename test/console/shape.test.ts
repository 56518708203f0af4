import { describe, expect, it } from "vitest";
import { type Part, type Step, shapeOf } from "../../console/src/saga/shape.ts";

/** How the console draws an operation. */

const names = (parts: readonly Part[]): string[] =>
  parts.map((part) => ("step" in part ? part.step.name : part.name));

/** The shape of an operation with steps of these names; the one with a mark behind it has failed. */
function shape(...steps: string[]) {
  const found = steps.map(
    (name): Step => ({
      ...{ name: name.replace("!", ""), attempts: 1 },
      state: name.endsWith("!") ? "FAILED" : "SUCCEEDED",
    }),
  );
  // Only the steps are drawn.
  const { way, back } = shapeOf({ status: { steps: found } } as Parameters<typeof shapeOf>[0]);
  return { way: names(way), back: back.map(({ name }) => name) };
}

describe("an operation that is stuck", () => {
  it("waits behind the undo that could not go on", () => {
    const steps = ["CreateRouter!", "Undo Later", "Undo CreateRouter!", "Undo First", "Stuck"];
    expect(shape(...steps)).toEqual({
      way: ["CreateRouter"],
      back: ["Undo Later", "Undo CreateRouter", "Stuck", "Undo First"],
    });
  });

  it("waits behind the step of a removal that could not go on, in the one row that a removal has", () => {
    expect(shape("Undo BootImage", "Undo AttachHost!", "ArchiveInstance", "Stuck")).toEqual({
      way: ["Undo BootImage", "Undo AttachHost", "Stuck", "ArchiveInstance"],
      back: [],
    });
  });
});
