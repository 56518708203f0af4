import { expect, it } from "vitest";
import { step } from "../../../../core/kernel/saga/saga.ts";
import { executionArn } from "../../../../local/workflow/arn.ts";
import {
  accept,
  finish,
  openToyLaptop,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";

const names = (nodes: "branch" | "row") => {
  const log: string[] = [];
  const noting = (name: string): ToyAction => ({
    deadline: 3_600_000,
    act: async () => {
      log.push(name);
    },
  });
  const row = (name: string) => step(name, noting(name), noting(`Undo ${name}`));
  const late =
    nodes === "row"
      ? row("Late")
      : { name: "Side", branches: [{ name: "b", steps: [row("Late")] }] };
  return { log, saga: toySaga([row("First"), late, row("Last")]) };
};

it.each(["row", "branch"] as const)(
  "a step in a %s that ends with an error of Step Functions' own turns back, and keeps its name",
  async (nodes) => {
    const { log, saga } = names(nodes);
    const laptop = openToyLaptop({
      sagas: { toy: saga },
      invoke: async (name, work) => {
        if (name !== "Late") return work();
        throw Object.assign(new Error("no answer came"), { name: "States.Timeout" });
      },
    });
    const id = await accept(laptop, "toy");
    const { status } = await finish(laptop, id);
    expect(log).toEqual(["First", "Undo First"]);
    expect(status).toMatchObject({
      state: "FAILED",
      failure: { step: "Late", kind: "States.Timeout" },
    });
    // Names that begin with `States.` are reserved for the service.
    const { error } = laptop.engine.describe(executionArn("toy", id));
    expect(error).toBe("Timeout");
  },
);
