import type { OperationId } from "../../../core/id.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Saga } from "../../../core/kernel/saga/action.ts";
import { type StepAction, saga } from "../../../core/kernel/saga/action.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import type { Node } from "../../../core/kernel/saga/saga.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { operated } from "../../../core/resources/generated/operated.ts";
import { relaying } from "../../../core/resources/relaying.ts";
import { type Laptop, type LaptopOptions, openLaptop } from "../laptop.ts";
import { kind, operating, wire } from "./kind.ts";
import type { Toy } from "./model.ts";
import { orderToy } from "./orders.ts";

/** A laptop that knows toys, for sagas of a test's own on them. */

/** The registries of the product, and toys. */
const withToys = {
  kinds: { ...kinds, toy: kind },
  operated: { ...operated, toy: operating },
  relaying: { ...relaying, wireForms: { ...relaying.wireForms, toy: wire } },
};

/** `relayed` is called by the relay before it handles a record. */
export const openToyLaptop = (
  options: LaptopOptions,
  relayed: () => Promise<void> = async () => {},
): Laptop => {
  const listeners = [relayed, ...relaying.listeners];
  const resources = { ...withToys, relaying: { ...withToys.relaying, listeners } };
  return openLaptop({ ...options, resources });
};

/** One direction of a step of such a saga. */
export type ToyAction = StepAction<Toy>;

export const toySaga = (nodes: Node<ToyAction>[]): Saga =>
  saga("toy", { comment: "a saga of a test", nodes });

/** Accepts an operation of this saga on a fresh toy, as an API would. */
export const accept = (
  { deps }: Laptop,
  saga = "toy",
  more: Partial<Operation> = {},
): Promise<OperationId> => orderToy(deps, saga, more);

export const operationOf = ({ deps }: Laptop, id: OperationId): Promise<Operation> =>
  mustLoad(deps, "operation", id);

/** Runs until the operation has ended or is stuck, and answers it. */
export async function finish(laptop: Laptop, id: OperationId): Promise<Operation> {
  let operation = await operationOf(laptop, id);
  await laptop.until(async () => {
    operation = await operationOf(laptop, id);
    return !["PENDING", "RUNNING"].includes(operation.status.state);
  }, "the end of the operation");
  await laptop.pass(1000);
  return operation;
}
