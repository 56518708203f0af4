import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { IronicApi } from "./api.ts";
import { askFor } from "./ask-for.ts";
import { nodeFieldsOf } from "./node.ts";

/**
 * Reserves a node for a host: a member of its `extra` names the host, and the node stays in the state
 * `manageable`, in which nobody deploys to it.
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

/** States that Ironic leaves by itself, once its work on the node has ended. */
const passing = [
  "verifying",
  "inspecting",
  "inspect wait",
  "cleaning",
  "clean wait",
  "adopting",
] as const;
/** States from which a node can become manageable; the failure states only if our own request has failed. */
const leadOn = ["enroll", "available"] as const;
const failures = ["clean failed", "inspect failed"] as const;

const isAmong = (states: readonly string[], { provision_state: state }: Node): boolean =>
  state !== null && states.includes(state);

/**
 * Reserves a node for a host. Throws Rejected, with the observation, for a node that somebody else
 * uses, and Unavailable until the node is reserved and manageable. Only a later call confirms the
 * reservation, because the last of two concurrent writes counts.
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
  // After a failed cleaning of the host, the next request comes only after an operator's action.
  if (node.maintenance) await api.change("DELETE", `${path}/maintenance`);
  if (node.provision_state !== "manageable")
    await askFor(api, path, node.provision_state, { target: "manage" });
  const why = node.last_error === null ? "" : `; before, it said: ${node.last_error}`;
  throw wait(node, `becomes manageable${why}`);
}

/** Releases a node, unless another host has it or it is gone; running work on it continues. */
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
  // A failed cleaning that Slipway requested leaves its node in maintenance.
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
