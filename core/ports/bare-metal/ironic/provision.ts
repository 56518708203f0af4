import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { IronicApi } from "./api.ts";
import { askFor } from "./ask-for.ts";
import { nodeFieldsOf } from "./node.ts";

/**
 * How a node is taken for a host: a member of its `extra` says whose it is, and it is worked with in the
 * state `manageable`, where nobody deploys to it.
 */

/** The member of `extra`: the id of the host. */
const claim = "slipway_host";

const schema = z.looseObject({
  name: z.string().nullable(),
  uuid: z.string(),
  provision_state: z.string().nullable(),
  instance_uuid: z.string().nullable(),
  allocation_uuid: z.string().nullable(),
  maintenance: z.boolean(),
  maintenance_reason: z.string().nullable(),
  fault: z.string().nullable(),
  last_error: z.string().nullable(),
  extra: z.looseObject({ [claim]: z.unknown().optional() }),
});
type Node = z.infer<typeof schema>;

const read = (api: IronicApi, path: string): Promise<Node> =>
  api.read(`${path}?fields=${nodeFieldsOf(schema)}`, schema);

/** States in which the service works on a node, and after which it is in another one. */
const passing = [
  "verifying",
  "inspecting",
  "inspect wait",
  "cleaning",
  "clean wait",
  "adopting",
] as const;
/** States from which a node is asked to become manageable; what has failed only where we asked for it. */
const leadOn = ["enroll", "available"] as const;
const failures = ["clean failed", "inspect failed"] as const;

const isAmong = (states: readonly string[], { provision_state: state }: Node): boolean =>
  state !== null && states.includes(state);

/**
 * Takes a node for a host. Throws Rejected, with what was seen, for a node that somebody else uses, and
 * Unavailable until it is claimed and manageable. A claim counts when a later call finds it: of two that are
 * written at once, the later one is there.
 */
export async function take(api: IronicApi, path: string, host: string): Promise<void> {
  const node = await read(api, path);
  refuseUsed(node, host);
  const isOurs = node.extra[claim] === host;
  if (isAmong(passing, node)) throw wait(node, `is in the state ${node.provision_state}`);
  if (!isOurs) {
    const patch = [{ op: "add", path: `/extra/${claim}`, value: host }];
    await api.change("PATCH", path, patch);
    throw wait(node, "is being claimed");
  }
  if (node.provision_state === "manageable" && !node.maintenance) return;
  // Nobody asks again for a host whose cleaning has failed, unless a person has asked for it.
  if (node.maintenance) await api.change("DELETE", `${path}/maintenance`);
  if (node.provision_state !== "manageable")
    await askFor(api, path, node.provision_state, { target: "manage" });
  const why = node.last_error === null ? "" : `; before, it said: ${node.last_error}`;
  throw wait(node, `becomes manageable${why}`);
}

/** Gives a node up, unless another host has it or it is gone; what is running there continues. */
export async function giveUp(api: IronicApi, path: string, host: string): Promise<void> {
  const node = await api.find(`${path}?fields=${nodeFieldsOf(schema)}`, schema);
  if (node?.extra[claim] !== host) return;
  await api.change("PATCH", path, [{ op: "remove", path: `/extra/${claim}` }]);
}

function refuseUsed(node: Node, host: string): void {
  const holder = node.extra[claim];
  const isOurs = holder === host;
  if (holder !== undefined && !isOurs)
    throw used(node, `be unclaimed; its extra says that it is the host ${String(holder)}`);
  if (node.instance_uuid !== null)
    throw used(node, `have no instance; it has ${node.instance_uuid}`);
  if (node.allocation_uuid !== null)
    throw used(node, `have no allocation; it has ${node.allocation_uuid}`);
  // A failed cleaning of ours leaves its node in maintenance.
  const isOfCleaning = isOurs && node.fault === "clean failure";
  if (node.maintenance && !isOfCleaning)
    throw used(node, `not be in maintenance; it is (${node.maintenance_reason ?? "no reason"})`);
  const known = ["manageable", ...passing, ...leadOn, ...(isOurs ? failures : [])];
  if (!isAmong(known, node)) throw used(node, `be manageable; it is ${node.provision_state}`);
}

const called = ({ name, uuid }: Node): string => `the node ${name ?? uuid}`;
const used = (node: Node, what: string): AppError =>
  new AppError("Rejected", `expected ${called(node)} to ${what}`);
const wait = (node: Node, what: string): AppError =>
  new AppError("Unavailable", `${called(node)} ${what}`);
