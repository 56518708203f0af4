import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toAsl } from "../../core/kernel/saga/asl.ts";
import { type Shape, step } from "../../core/kernel/saga/saga.ts";
import { extended, type StepList, sagaFaultsOf } from "../../statemachines/steps.ts";

const root = join(import.meta.dirname, "../..");

const why = "nothing that runs comes to it any more";

const shape = (names: string): Shape => ({
  name: "toy",
  comment: "a saga of a test",
  nodes: names.split(" ").map((name) => step(name, { deadline: 1000 }, { none: "a test" })),
});

const former = { machine: "toy", name: "toy@1", text: JSON.stringify(toAsl(shape("A B C"))) };
const listed = extended({}, { toy: shape("A B C") });
const withEntry = (entry: object): StepList => ({ toy: { steps: ["A", "B", "C"], ...entry } });

it.each<[string, StepList, string, RegExp | undefined]>([
  ["nothing has changed", listed, "A B C", undefined],
  ["a step was added", listed, "A X B C", undefined],
  ["a step was removed", listed, "A C", /the step B was removed or renamed/],
  ["a step was renamed", listed, "A B2 C", /the step B was removed or renamed/],
  ["a step was moved", listed, "B A C", /A and B have changed places since toy@1/],
  ["a step is gone, and it is said why", withEntry({ gone: { B: why } }), "A C", undefined],
  ["a step that is gone is back", withEntry({ gone: { B: why } }), "A B C", /B is not gone/],
  ["a step was moved, and it is said why", withEntry({ moved: { B: why } }), "B A C", undefined],
])("the list of steps, when %s", { tags: "smoke" }, (_, list, today, fault) => {
  const found = sagaFaultsOf(extended(list, { toy: shape(today) }), { toy: shape(today) }, [
    former,
  ]);
  expect(found.join("\n")).toMatch(fault ?? /^$/);
});

it("the list of steps, when a whole saga is gone, asks for it to be retired", {
  tags: "smoke",
}, () => {
  expect(sagaFaultsOf(listed, {}, []).join()).toMatch(/toy is gone: .*retired/);
  expect(sagaFaultsOf(withEntry({ dropped: why }), {}, [])).toEqual([]);
});

it("a saga that is retired is one of the sagas that are deployed and that workers know", {
  tags: "smoke",
}, () => {
  const source =
    'export const retired = { "cluster-split": { name: "cluster-split", nodes: [] } };';
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({
      load: (url, context, next) =>
        url.endsWith("/statemachines/retired.ts")
          ? { format: "module", source: ${JSON.stringify(source)}, shortCircuit: true }
          : next(url, context),
    });
    const { sagas } = await import(${JSON.stringify(join(root, "statemachines/index.ts"))});
    process.stdout.write(Object.keys(sagas).join(" "));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { cwd: root, encoding: "utf8" },
  );
  expect(stdout.split(" "), stderr).toEqual(
    expect.arrayContaining(["cluster-split", "cluster-create", "host-clean"]),
  );
});
