import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Start } from "../../machine/boot.ts";
import type { ErasureMethod } from "../../ports/bare-metal/erasure.ts";
import type { FirmwareComponent } from "../../ports/bare-metal/firmware.ts";
import type { PowerState, TaskId } from "../../ports/bare-metal/server.ts";
import type { ServerAddress } from "../../ports/bare-metal/servers.ts";
import type { Host } from "./model.ts";

/** The record of a server whose power Slipway manages: its condition, and the observations of host sagas. */
export interface ServerRecord {
  condition: ServerCondition;
  /** The work of the present operation or of the last one. */
  work?: HostWork;
  /** The last report of its controller. */
  seen?: { power: PowerState; hasMedia: boolean; at: string };
  /** When the present operation last set the boot to the discovery image, for the erasure of its drives. */
  bootSet?: string;
  /** When it was last switched on for that boot. */
  started?: string;
  /** When requests to switch it on began to have no effect. */
  asked?: string;
  /** Its discovery takes so long that the pool no longer counts on it. */
  isLate?: true;
  /** The present boot into the discovery image. */
  boot?: Start;
  /** The update of its firmware. */
  update?: ServerUpdate;
  /** Its drives, each with its present or last erasure. */
  drives?: DriveRecord[];
  /** The differences between the hardware that its agent reports and the promises of its type. */
  differences?: ServerDifference[];
  /** The reason for its quarantine, which lasts until an operator decides. */
  quarantine?: Quarantine;
  /** Whether it is permanently out of service. */
  isRetired?: true;
  /** Whether the hub's counters exclude it. Absent for a server that was retired before this rule. */
  isUncounted?: true;
}

/**
 * `UNKNOWN`: the content of its drives is unknown. `USED`: an owner has had it. `CLEAN`: its drives are erased.
 * `READY`: it is erased, runs the discovery image, and has the hardware of its type.
 */
export const serverConditions = ["UNKNOWN", "USED", "CLEAN", "READY"] as const;
export type ServerCondition = (typeof serverConditions)[number];

export const hostWorks = ["discover", "clean", "switch_off", "update_firmware"] as const;
export type HostWork = (typeof hostWorks)[number];

export interface ServerUpdate {
  /** The operation that works on it. */
  operation: OperationId;
  /** The component that is being updated, and its new version. */
  of?: { component: FirmwareComponent; version: string };
  /** The number of this try, counted from 1. */
  number: number;
  phase: "checking" | "asking" | "writing" | "starting" | "resting" | "done" | "failed";
  /** When the phase began. */
  at: string;
  /** The controller's id for the task that writes the image, if there is one. */
  task?: TaskId;
  /** The server or controller was restarted to apply the image. */
  isStarted?: true;
  /** The controller's message, or the reason of the last failure; for people. */
  said?: string;
}

export const driveStates = ["waiting", "pending", "done", "failed"] as const;

export interface DriveRecord {
  id: string;
  name: string;
  serial?: string;
  wwn?: string;
  method: ErasureMethod;
  /** `waiting`: the erasure begins with the server's next start. */
  state: (typeof driveStates)[number];
  /** The controller's message; for people. */
  message: string;
  task?: TaskId;
  /** How many erasures of it have begun. */
  begun?: number;
  /** When its erasure was last requested. */
  requested?: string;
  /** When the erasure was found complete. */
  at?: string;
}

/** A difference in one property of the hardware, in words. */
export interface ServerDifference {
  field: string;
  expected: string;
  seen: string;
}

export interface Quarantine {
  since: string;
  /** The step that failed; absent if a person has quarantined the server. */
  step?: string;
  /** The expected and the observed value, in words. */
  reason: string;
  /** The operation that proved the server to be off, because a DPU did not confirm its isolation. */
  isolated_by?: string;
}

/** The limit, in bytes of JSON, for the records of a server's drives in the host's item. */
const drivesBytes = 64 * 1024;

/** The records to store. Throws Rejected for too many, because a drive without a record would not be erased. */
export function drivesToKeep(records: readonly DriveRecord[]): DriveRecord[] {
  const drives = records.map((each) => ({ ...each, message: cut(each.message, bounds.line) }));
  const bytes = Buffer.byteLength(JSON.stringify(drives));
  if (bytes <= drivesBytes) return drives;
  throw new AppError(
    "Rejected",
    `expected drives that ${drivesBytes} bytes can describe; the server's controller has reported ${drives.length}, in ${bytes} bytes`,
  );
}

/** The address of the controller of a host's server. */
export const controllerOf = ({ id, spec: { hub, bmc } }: Host): ServerAddress => ({ id, hub, bmc });

export const serverOf = ({ server = { condition: "UNKNOWN" } }: Host): ServerRecord => server;

/** Whether the drives of a host's server have been unused since their last erasure. */
export function isErased(host: Host): boolean {
  const { condition } = serverOf(host);
  return condition === "CLEAN" || condition === "READY";
}

/** The host with changes to its server's record; undefined removes a member. */
export function withServer(
  host: Host,
  changes: { [Member in keyof ServerRecord]?: ServerRecord[Member] | undefined },
): Host {
  const { condition, ...rest } = { ...serverOf(host), ...changes };
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...host,
    server: { condition: condition ?? "UNKNOWN", ...Object.fromEntries(members) },
  };
}
