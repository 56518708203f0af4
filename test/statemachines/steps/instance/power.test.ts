import { expect, it } from "vitest";
import { minutes, timestamp } from "../../../../core/clock.ts";
import type { Context } from "../../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import type { PowerState } from "../../../../core/ports/bare-metal/server.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import { cutOffServer, powerOffServer } from "../../../../statemachines/steps/instance/power.ts";
import { testDeps } from "../../../support/deps.ts";
import { instanceRecord, onHost } from "../../../support/instance-record.ts";

/** What counts as proof that a server is off: the controller's word to this step of this operation. */

/** A step of an operation, which began so long ago. */
function contextOf(step: string, ago: number): Context {
  const deps = testDeps();
  const request = { saga: "instance-release", change: "DELETE", creator: "ann" } as const;
  const operation = newOperation(deps, { ...request, target: instanceRecord() });
  const start_time = timestamp(deps.clock.now() - ago);
  const steps = { [step]: { ...newEntry(0), state: "RUNNING" as const, start_time } };
  return { deps, operation: { ...operation, steps }, step };
}

const context = contextOf("PowerOff", minutes(1));
const { id: operation } = context.operation;

const seen = (
  state: PowerState,
  more: Partial<NonNullable<BaremetalInstance["power"]>> = {},
): Partial<BaremetalInstance> => ({
  power: { state, at: "", operation, step: "PowerOff", ...more },
});

const awaited = "the power to be off";
const says = (state: PowerState) => `${awaited}; the controller says that it is ${state}`;

it.each<[string, Partial<BaremetalInstance>, string | undefined]>([
  ["nothing yet", {}, awaited],
  ["off", seen("off"), undefined],
  ["on", seen("on"), says("on")],
  ["that it is turning off", seen("turning_off"), says("turning_off")],
  ["nothing that is known", seen("unknown"), says("unknown")],
  ["off, to an earlier step of the operation", seen("off", { step: "Undo BootImage" }), awaited],
  ["off, to an earlier operation", seen("off", { operation: "o0" }), awaited],
])("with a controller that has said %s", async (_, power, expected) => {
  const server = instanceRecord({ ...onHost("h1"), ...power });
  const outcome = await powerOffServer.until?.(server, context);
  expect(outcome?.done ? undefined : outcome?.waitingFor).toBe(expected);
});

it("a server without a host is off", async () => {
  expect(await powerOffServer.until?.(instanceRecord(), context)).toEqual({ done: true });
});

const forced = { at: "", by: "root" } as const;

it.each<[string, Partial<BaremetalInstance>, number, boolean]>([
  ["is on, within 20 minutes", seen("on"), minutes(20), false],
  ["is on, after 20 minutes", seen("on"), minutes(20) + 1, true],
  ["is on, within a minute by force", { ...seen("on"), forced }, minutes(1), false],
  ["is on, after a minute by force", { ...seen("on"), forced }, minutes(1) + 1, true],
  ["was said to be off by an administrator", { forced: { ...forced, is_off: true } }, 0, true],
  ["is another one", seen("unknown", { is_another: true }), 0, true],
  [
    "was another one, to an earlier step",
    seen("unknown", { is_another: true, step: "PowerOff earlier" }),
    0,
    false,
  ],
  [
    "was another one, to an earlier operation",
    seen("unknown", { is_another: true, operation: "o0" }),
    0,
    false,
  ],
])("a deletion lets go of a server that %s: %s", async (_, power, ago, isLetGo) => {
  const server = instanceRecord({ ...onHost("h1"), ...power });
  const { deps, operation: at } = contextOf("PowerOff", ago);
  const outcome = await cutOffServer.until?.(server, {
    ...{ deps, step: "PowerOff" },
    operation: { ...at, id: operation },
  });
  expect(outcome?.done).toBe(isLetGo);
});
