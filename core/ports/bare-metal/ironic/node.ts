import * as z from "zod";
import type { PowerState, TaskId, TaskObservation } from "../server.ts";

/** The members of an Ironic node that the adapter reads. */

export const nodeSchema = z.looseObject({
  uuid: z.string(),
  power_state: z.string().nullable(),
  target_power_state: z.string().nullable(),
  last_error: z.string().nullable(),
  reservation: z.string().nullable(),
  provision_state: z.string().nullable(),
  provision_updated_at: z.string().nullable(),
});
export type IronicNode = z.infer<typeof nodeSchema>;

export const nodeFieldsOf = ({ shape }: { shape: object }): string => Object.keys(shape).join(",");

/** States of a cleaning, in which Ironic erases drives and does other maintenance. */
export const isCleaning = ({ provision_state }: Pick<IronicNode, "provision_state">): boolean =>
  provision_state === "cleaning" || provision_state === "clean wait";

const targets: Record<string, PowerState> = {
  "power on": "turning_on",
  rebooting: "turning_on",
  "soft rebooting": "turning_on",
  "power off": "turning_off",
  "soft power off": "turning_off",
};

export function ironicPowerOf({ power_state, target_power_state }: IronicNode): PowerState {
  if (target_power_state !== null) return targets[target_power_state] ?? "unknown";
  if (power_state === "power on") return "on";
  return power_state === "power off" ? "off" : "unknown";
}

/** Ironic does one thing at a time on a node and stores one error, so all tasks share this id. */
export const lastTask: TaskId = "last";

/** An erasure's id has the time at which the node entered the state in which the erasure was requested. */
const erasure = /^erasure after (.*)$/;
export const erasureAfter = ({ provision_updated_at }: IronicNode): TaskId =>
  `erasure after ${provision_updated_at}`;

export function ironicTaskOf(node: IronicNode, task: TaskId): TaskObservation {
  const since = erasure.exec(task)?.[1];
  return since === undefined ? lastOf(node) : erasureOf(node, since);
}

/** Ironic clears a node's error when it begins something new. */
function lastOf({ target_power_state, reservation, last_error }: IronicNode): TaskObservation {
  if (target_power_state !== null || reservation !== null)
    return { state: "pending", message: "the bare metal service works on the node" };
  return last_error === null ? done : failed(last_error);
}

/** The erasure is done when the node has left that state and has returned to it without an error. */
function erasureOf(node: IronicNode, since: string): TaskObservation {
  const { provision_state: state, provision_updated_at: updated, reservation, last_error } = node;
  if (isCleaning(node) || reservation !== null)
    return { state: "pending", message: `the node is in the state ${state}` };
  if (state === "clean failed") return failed(last_error ?? "it does not say why");
  if (state !== "manageable" || updated === since)
    return { state: "gone", message: `the node is in the state ${state}` };
  return last_error === null ? done : failed(last_error);
}

const done: TaskObservation = { state: "done", message: "the bare metal service is done" };
const failed = (why: string): TaskObservation => ({
  state: "failed",
  message: `the bare metal service has failed: ${why}`,
});
