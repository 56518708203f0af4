import { isDeepStrictEqual } from "node:util";
import { seconds } from "../clock.ts";
import type { PowerState } from "../ports/bare-metal/server.ts";
import type { MachineReport } from "./requests.ts";

/** The record of a requested start of a server, with the server's reports about it. */

/** An administrator releases an object from its server without the usual wait for controllers and DPUs. */
export interface Forced {
  at: string;
  by: string;
  /** The administrator states that the server is off or disconnected, since Slipway cannot observe that. */
  is_off?: true;
}

export interface Starting {
  forced?: Forced;
  boot?: ServerStart;
  phoned?: PhonedHome;
  /** Whether the server sends no report of its start. */
  isSilent?: true;
  /** The power state in its controller's last report, with the operation and step that read it. */
  power?: {
    state: PowerState;
    at: string;
    operation: string;
    step: string;
    /** Another server answered, so nothing was done to it. */
    is_another?: true;
  };
}

/** A start of a machine; a failed start is repeated. */
export interface Start {
  /** The number of this start, from 1. */
  number: number;
  /**
   * `resting`: the machine stays off for a while, so that its memory is cleared. `setting`: the boot source is
   * being set in its controller.
   */
  phase: "switching_off" | "resting" | "setting" | "switching_on" | "booting";
  /** When the phase began. */
  at: string;
  /** The earliest time at which the machine can be on: earlier reports are not about this start. */
  since?: string;
}

/** Starts, repeated until the server reports that the desired system runs. */
export interface ServerStart extends Start {
  /** The operation that starts the server. */
  operation: string;
  /** The boot source: the site controller's answer, or the disk. */
  from: "network" | "disk";
  /** The power state that its controller last reported. */
  power?: PowerState;
  /** When it last requested its boot script, and its cloud-init seed, since this start. */
  asked?: string;
  seeded?: string;
}

/** The last report of a started system. */
export interface PhonedHome {
  at: string;
  hostname?: string;
  /** Its public host keys, by type. */
  keys?: Record<string, string>;
}

/** The record with a report applied; undefined if it changes nothing. `now` is an RFC 3339 timestamp. */
export function withReport<T extends Starting>(
  object: T,
  report: MachineReport,
  now: string,
): T | undefined {
  const { boot } = object;
  switch (report.of) {
    case "boot":
      return boot && boot.asked === undefined
        ? { ...object, boot: { ...boot, asked: now } }
        : undefined;
    case "seed":
      // The file that cloud-init reads last.
      return boot && boot.seeded === undefined && report.part === "vendor-data"
        ? { ...object, boot: { ...boot, seeded: now } }
        : undefined;
    case "phone_home":
      return withPhoned(object, phonedHome(report, now));
    default:
      return undefined;
  }
}

/** The time (ms) in which a repeated report of a server is not written again. */
const phonedEnough = seconds(10);

function withPhoned<T extends Starting>(object: T, said: PhonedHome): T | undefined {
  const { boot, phoned } = object;
  const after = { ...phoned, ...said };
  const isSame = phoned !== undefined && isDeepStrictEqual(after, { ...phoned, at: said.at });
  const isOfThisStart = boot?.since === undefined || (phoned?.at ?? "") >= boot.since;
  const isRecent =
    phoned !== undefined && Date.parse(said.at) - Date.parse(phoned.at) < phonedEnough;
  return isSame && isOfThisStart && isRecent ? undefined : { ...object, phoned: after };
}

function phonedHome(report: MachineReport & { of: "phone_home" }, at: string): PhonedHome {
  const { hostname, pub_key_rsa: rsa, pub_key_ecdsa: ecdsa, pub_key_ed25519: ed25519 } = report;
  // cloud-init sends N/A for a missing key.
  const keys = Object.entries({ rsa, ecdsa, ed25519 }).flatMap(([type, key]) =>
    key === undefined || key === "N/A" ? [] : [[type, key.trim()] as const],
  );
  return {
    at,
    ...(hostname !== undefined && { hostname }),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
  };
}

/** Whether the server is booting from the network, so that its requests belong to this start. */
export const isNetworkStart = ({ boot }: Starting): boolean =>
  boot?.since !== undefined && boot.from === "network";

/** Whether the server has requested its boot script since this start. */
export const hasAsked = ({ boot }: Starting): boolean =>
  boot?.since !== undefined && boot.asked !== undefined;

/**
 * Whether the system has reported since this start. For a system without reports, the request for a boot script
 * or the power state counts instead.
 */
export function hasPhoned({ boot, phoned, isSilent }: Starting): boolean {
  if (boot?.since === undefined) return false;
  if (isSilent) return boot.from === "disk" ? boot.phase === "booting" : boot.asked !== undefined;
  return phoned !== undefined && phoned.at >= boot.since;
}
