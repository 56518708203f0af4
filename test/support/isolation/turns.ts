import * as fc from "fast-check";
import type { FaultInput } from "../../../sim/faults.ts";
import type { Turn, Walk } from "./walk.ts";

/** Turns of tenants, at random. */

/** A turn of any tenant, unless it names one. */
export type Asked = Pick<Turn, "does" | "collection" | "name" | "spec"> & Partial<Turn>;

export const named = (names: readonly string[]) => fc.constantFrom(...names);

export const order = (
  collection: string,
  names: readonly string[],
  spec: fc.Arbitrary<object>,
): fc.Arbitrary<Asked> =>
  fc.record({ name: named(names), spec }).map((asked) => ({ does: "order", collection, ...asked }));

export const removal = (collection: string, names: readonly string[]): fc.Arbitrary<Asked> =>
  named(names).map((name) => ({ does: "delete", collection, name }));

const ports = fc.constantFrom(
  {},
  { port_from: 443, port_to: 443 },
  { port_from: 1, port_to: 65_535 },
  { port_from: 5000, port_to: 6000 },
);
const withPorts = fc
  .tuple(named(["PROTOCOL_TCP", "PROTOCOL_UDP"]), ports)
  .map(([protocol, range]) => ({ protocol, ...range }));

/** Some rules of a group. `whole`: protocols without ports. */
export function rules(
  whole: readonly string[],
  groups: readonly string[],
  cidrs: readonly object[],
): fc.Arbitrary<object[]> {
  const what = fc.oneof(
    withPorts,
    named(whole).map((protocol) => ({ protocol })),
  );
  const other = fc.oneof(
    fc.constantFrom(...cidrs),
    named(groups).map((security_group) => ({ security_group })),
  );
  return fc.array(
    fc.tuple(what, other).map(([protocol, who]) => ({ ...protocol, ...who })),
    { maxLength: 4 },
  );
}

/** Calls that fail, answers that are lost, workers that die. All of it passes: in the end everything is as ordered. */
const faults = (targets: readonly FaultInput["target"][]): fc.Arbitrary<FaultInput> => {
  const lost = fc.constantFrom("crash_after" as const, "crash_before" as const);
  const count = fc.integer({ min: 1, max: 3 });
  const call = {
    target: fc.constantFrom(...targets),
    operation: named(["POST", "PUT", "PATCH", "GET", "DELETE"]),
    count,
  };
  return fc.oneof(
    fc.record({ ...call, fault: lost }),
    fc.record({ ...call, fault: fc.constant("error" as const), status: fc.constant(503) }),
    fc.record({ target: fc.constant("worker" as const), fault: lost, count }),
  );
};

/** `refusals`: the calls that orders of a collection fail by if they are refused. */
export function turns(
  asked: fc.Arbitrary<Asked>,
  targets: readonly FaultInput["target"][],
  refusals: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<Turn> {
  const [target = "fabric"] = targets;
  // What comes first is left out first of a walk that fails.
  return fc
    .record({
      pace: fc.nat(4),
      refusal: fc.nat(39),
      trouble: fc.option(faults(targets), { nil: undefined, freq: 2 }),
      asked,
      tenant: fc.constantFrom("a" as const, "b" as const),
    })
    .map(({ tenant, asked: what, trouble: fault, refusal, pace }) => {
      const calls = what.does === "order" ? refusals[what.collection] : undefined;
      // Of forty orders some eight are refused.
      const operation = calls && refusal >= 32 ? calls[refusal % calls.length] : undefined;
      return {
        tenant,
        ...what,
        ...(operation !== undefined && { refused: { target, operation } }),
        ...(operation === undefined && fault && { fault }),
        ...(operation === undefined && pace === 4 && { isHasty: true as const }),
      };
    });
}

/** A turn as fast-check plays it: of a walk that fails it keeps the turns that are needed for it. */
export class Played implements fc.AsyncCommand<object, Walk> {
  readonly #turn: Turn;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  check = () => true;

  async run(_: object, walk: Walk): Promise<void> {
    await walk.take(this.#turn);
  }

  toString(): string {
    return `\n  ${JSON.stringify(this.#turn)}`;
  }
}
