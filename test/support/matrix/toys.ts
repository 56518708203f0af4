import { expect } from "vitest";
import { isKind } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import { targetPartition } from "../../../core/kernel/object/keys.ts";
import { load, mustLoad, objectIn } from "../../../core/kernel/object/records.ts";
import { isEnded, type Operation } from "../../../core/kernel/saga/operation.ts";
import { cancelOperation, resumeOperation } from "../actions.ts";
import { type Check, wrongBy } from "../books/check.ts";
import { kernelChecks } from "../books/kernel.ts";
import { others as ofDeployment } from "../books/places.ts";
import { Table } from "../books/table.ts";
import type { Laptop } from "../laptop.ts";
import { sent } from "../outside.ts";
import { Box } from "../toy/box.ts";
import { boxClient } from "../toy/client.ts";
import { openToyLaptop } from "../toy/laptop.ts";
import { asToyId, type ToyId, type ToySpec } from "../toy/model.ts";
import { alice, changeToy, deleteToy, orderToy, toyId } from "../toy/orders.ts";
import { toySagas } from "../toy/sagas.ts";
import { onShelf, shelf } from "../toy/shelf.ts";
import { VirtualClock } from "../virtual-clock.ts";
import type { Change, End, Seen, Stage, StageOptions, Subject } from "./stage.ts";

/** The sagas of toys in the matrix: through the kernel alone. */

const first: ToySpec = { blocks: 3, colour: "red" };
const second: ToySpec = { blocks: 5, colour: "blue" };

const third: ToySpec = { blocks: 7, colour: "green" };

interface ToyChange {
  /** Whether there is a toy at rest when the saga starts. */
  isThere: boolean;
  start(laptop: Laptop): Promise<unknown>;
  again: Change["again"];
  /** What is in the box when the saga has succeeded, and when it gave up; undefined for no crate. */
  crate: Record<"done" | "undone", ToySpec | undefined>;
}

const changes: Record<string, ToyChange> = {
  "toy-create": {
    isThere: false,
    start: ({ deps }) => orderToy(deps),
    again: "a toy that failed is not ordered again",
    crate: { done: first, undone: undefined },
  },
  "toy-change": {
    isThere: true,
    start: ({ deps }) => changeToy(deps, second),
    again: true,
    crate: { done: second, undone: first },
  },
  "toy-delete": {
    isThere: true,
    start: ({ deps }) => deleteToy(deps),
    again: "a deletion is not asked for again",
    crate: { done: undefined, undone: undefined },
  },
};

export const toys: Subject = {
  sagas: toySagas,
  changes: Object.fromEntries(
    Object.entries(changes).map(([saga, change]): [string, Record<string, Change>] => [
      saga,
      { "a toy": { again: change.again, open: (options) => opened(change, options) } },
    ]),
  ),
};

async function opened(change: ToyChange, { outside, ...options }: StageOptions): Promise<Stage> {
  const clock = new VirtualClock();
  const box = new Box(clock);
  const laptop = openToyLaptop({ ...options, clock });
  laptop.deps.box = boxClient((request) =>
    sent(request, outside, (url, init) => box.fetch(url, init)),
  );
  if (change.isThere) {
    await orderToy(laptop.deps);
    const isThere = async () => !(await toyIn(laptop))?.operation;
    await laptop.until(isThere, "the toy");
    await laptop.pass(10_000);
  }
  return stageOn(laptop, box, change);
}

const toyIn = ({ deps }: Laptop) => load(deps, "toy", toyId);

function stageOn(laptop: Laptop, box: Box, { start, crate }: ToyChange): Stage {
  const { deps } = laptop;
  const neighbour = { id: asToyId("toy-2"), name: "ship" };
  let others: { id: ToyId; name: string }[] = [];
  const crateAt = (end: End): ToySpec | undefined => {
    if (end === "wished") return third;
    return end === "done" || end === "undone" ? crate[end] : undefined;
  };
  return {
    laptop,
    async start() {
      await start(laptop);
      return toyId;
    },
    async orderNeighbour() {
      others = [neighbour];
      await orderToy(deps, "toy-create", {}, neighbour);
      return {
        id: neighbour.id,
        async expectMade() {
          const made = async () => (await load(deps, "toy", neighbour.id))?.applied !== undefined;
          await laptop.until(made, "the other toy");
          expect(box.crate(neighbour.id)).toEqual({ ...first, label: "ship", isDry: true });
        },
      };
    },
    async newest() {
      const query = { index: "g3", pk: targetPartition(toyId), reverse: true, limit: 1 } as const;
      const [last] = (await deps.store.query(query)).items;
      return last && seen(objectIn<"operation">(deps.kinds, last));
    },
    operation: async (id) => seen(await mustLoad(deps, "operation", asOperationId(id))),
    async cancel(operation) {
      try {
        await cancelOperation(deps, alice, operation);
        return true;
      } catch (error) {
        if (isKind(error, "FailedPrecondition")) return false;
        throw error;
      }
    },
    async resume(operation) {
      await resumeOperation(deps, alice, operation);
    },
    remove: () => deleteToy(deps),
    async wish() {
      const toy = await mustLoad(deps, "toy", toyId);
      if (toy.metadata.deletion_timestamp) return false;
      await changeToy(deps, third);
      return true;
    },
    again: async () => void (await start(laptop)),
    async withFault(fault, _, send) {
      if (fault.fault === "conflict") return new Response(null, { status: 409 });
      if (fault.fault === "error") return new Response(null, { status: fault.status });
      await send();
      throw new TypeError("the connection was reset");
    },
    wrong: (_, end) =>
      wrongIn(laptop, box, [...(crateAt(end) ? [toyId] : []), ...others.map(({ id }) => id)]),
    async expectEnd(_, end) {
      const wanted = crateAt(end);
      const toy = await toyIn(laptop);
      const isDeleted = end === "gone" || (toy === undefined && wanted === undefined);
      if (isDeleted) return expect(toy).toBeUndefined();
      expect(toy?.status.state).toBe(wanted ? "TOY_STATE_READY" : "TOY_STATE_FAILED");
      expect(toy?.applied).toEqual(wanted);
      expect(box.crate(toyId)).toEqual(
        wanted && { ...wanted, label: toy?.metadata.name, isDry: true },
      );
    },
  };
}

/** The parts of the books that concern toys: the kernel's, the places on the shelf, and what belongs to the deployment. */
const checks: readonly Check[] = [...kernelChecks(), shelf, ofDeployment];

/** What the box, the shelf and the store have that no toy accounts for, or lack. */
async function wrongIn(laptop: Laptop, box: Box, expected: ToyId[]): Promise<string[]> {
  const { store, deps } = laptop;
  await laptop.drained();
  const { kinds } = deps;
  const table = new Table(store, kinds);
  const books = { table, kinds, now: deps.clock.now(), wall: deps.wall.now() };
  const wrong = wrongBy(checks, books);
  const crates = box.ids();
  if (crates.toSorted().join() !== expected.toSorted().join())
    wrong.push(`the box has the crates [${crates.join()}]`);
  const holder = await onShelf(store, "boat");
  if (holder !== expected.find((id) => id === toyId))
    wrong.push(`the place on the shelf is ${String(holder)}'s`);
  const toy = await load(deps, "toy", toyId);
  if (toy?.operation || toy?.queued || toy?.applying) wrong.push("the toy has an operation still");
  const open = table.objects("operation").filter((operation) => !isEnded(operation));
  for (const { spec, status } of open) wrong.push(`${spec.saga} is ${status.state}`);
  return wrong;
}

const seen = ({ id, status, steps }: Operation): Seen => ({
  id,
  state: status.state,
  ...(status.failure && { failure: status.failure }),
  steps: Object.fromEntries(Object.entries(steps).map(([name, { state }]) => [name, state])),
});
