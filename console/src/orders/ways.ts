import type { Host, PrivateBaremetalInstance } from "../generated/answers.ts";
import type { Ordered, OrderedKind } from "./ordered.ts";

/** Actions on an object, besides its deletion and the actions on its operation. */
export interface Way {
  name: string;
  /** The path of an action, below the object's. */
  path?: string;
  /** The change of the object. */
  body?: object;
  /** A question to confirm, where data is lost. */
  question?: string;
}

/** The actions in the object's state; none while an operation on it runs. */
export function waysOf({ kind }: OrderedKind, object: Ordered): readonly Way[] {
  if (object.status.operation !== undefined || object.metadata.deletion_timestamp !== undefined)
    return [];
  // The kind determines the object's type.
  if (kind === "baremetal_instance") return ofServer(object as PrivateBaremetalInstance);
  if (kind === "host") return ofHost(object as Host);
  return kind === "dpu" && object.status.state.endsWith("QUARANTINED") ? [again] : [];
}

/** Retries what has failed on a quarantined object. */
const again: Way = { name: "Try again", path: "/retry" };

const strategy = (value: PrivateBaremetalInstance["spec"]["run_strategy"]) => ({
  spec: { run_strategy: value },
});

function ofServer({ metadata, spec, status }: PrivateBaremetalInstance): readonly Way[] {
  const reinstall: Way = {
    name: "Reinstall",
    path: "/reinstall",
    question: `Write the image on ${metadata.name} again? The content of its disk is lost.`,
  };
  switch (status.state) {
    case "BARE_METAL_INSTANCE_STATE_RUNNING":
      return [
        { name: "Restart", body: { spec: { restart_trigger: (spec.restart_trigger ?? 0) + 1 } } },
        { name: "Stop", body: strategy("BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED") },
        reinstall,
      ];
    case "BARE_METAL_INSTANCE_STATE_STOPPED":
      return [
        { name: "Start", body: strategy("BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS") },
        reinstall,
      ];
    default:
      return [];
  }
}

function ofHost({ metadata, status }: Host): readonly Way[] {
  const { owner, state } = status;
  const release: Way = { name: "Release", path: "/release" };
  const retire: Way = {
    name: "Retire",
    path: "/retire",
    question: `Take ${metadata.name} out of service for good?`,
  };
  if (state === "HOST_STATE_RETIRED") return [release];
  // Without a failed step, a silent DPU caused the quarantine, and a person cannot end it.
  const isHeldByStep = status.server?.quarantine?.step !== undefined;
  if (state === "HOST_STATE_QUARANTINED")
    return isHeldByStep ? [again, release, retire] : [again, retire];
  if (status.maintenance) return [release, retire];
  const what =
    owner?.kind === "cluster"
      ? `Replace ${metadata.name} in ${owner.name ?? owner.id} by another host, and take it out of service?`
      : owner
        ? `Keep ${metadata.name} out of the pool once ${owner.name ?? owner.id} gives it back?`
        : `Take ${metadata.name} out of the pool, until it is released?`;
  const name = owner?.kind === "cluster" ? "Replace" : "Maintenance";
  return [{ name, path: "/maintain", question: what }, ...(owner ? [] : [retire])];
}
