import type { KindDefinition } from "../../../core/kernel/object/kind.ts";
import type { WireForm } from "../../../core/kernel/object/wire-form.ts";
import type { Operating } from "../../../core/kernel/saga/operated.ts";
import type { Toy, ToyStatus } from "./model.ts";

/** What the kernel must know of toys. */
export const kind: KindDefinition<"toy"> = {
  events: ["created", "updated", "ready", "failed", "deleting", "deleted"],
  isOperated: true,
  references: ({ spec }) => (spec.on === undefined ? [] : [{ kind: "toy", id: spec.on }]),
  referencedByOthers: { named: true },
  status: (toy) => ({ state: stateOf(toy) }),
  turn(before, after) {
    if (before.status.state === after.status.state) return undefined;
    if (after.status.state === "TOY_STATE_READY") return "ready";
    return after.status.state === "TOY_STATE_FAILED" ? "failed" : undefined;
  },
};

export const wire: WireForm<"toy"> = {
  view: ({ id, metadata, spec, status }) => ({ id, metadata, spec, status }),
};

function stateOf({ metadata, operation, applied, failure }: Toy): ToyStatus["state"] {
  if (metadata.deletion_timestamp) return "TOY_STATE_DELETING";
  if (operation) return "TOY_STATE_PROGRESSING";
  return failure && !applied ? "TOY_STATE_FAILED" : "TOY_STATE_READY";
}

/** What operations mean for a toy. */
export const operating: Operating<"toy"> = {
  started: (toy, operation) => ({ ...toy, operation, applying: toy.spec }),
  ended(toy, { saga, failure }) {
    const { operation: _, queued: __, applying, failure: ___, ...free } = toy;
    if (failure) return { ...free, failure };
    return saga === "toy-delete" ? "archive" : { ...free, applied: applying ?? free.spec };
  },
  // Where a toy is made is the first word of its id.
  placeOf: ({ id }) => ({ kind: "hub", id: id.split("-")[0] ?? id }),
  unqueued: (toy) => ({ ...toy, spec: toy.applying ?? toy.spec }),
  diagnose: async (_, { coat }) => (coat ? [`the crate was ${coat.colour ?? "bare"}`] : []),
};
