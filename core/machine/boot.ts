import { isDeepStrictEqual } from "node:util";
import { seconds } from "../clock.ts";
import type { PowerState } from "../ports/bare-metal/server.ts";
import type { MachineReport } from "./requests.ts";

/** The record of what an object has its server start, and of what the server said of it. */

/** An administrator has an object leave its server without the usual patience for controllers and DPUs. */
export interface Forced {
  at: string;
  by: string;
  /** The administrator says that the server is off, or has no cables: nothing else could tell. */
  is_off?: true;
}

export interface Starting {
  forced?: Forced;
  boot?: ServerStart;
  phoned?: PhonedHome;
  /** Nothing on the server reports that it has started. */
  isSilent?: true;
  /** What its controller said last of its power, and to which step. */
  power?: {
    state: PowerState;
    at: string;
    operation: string;
    step: string;
    /** Another server was there, which was not touched. */
    is_another?: true;
  };
}

/** A start of a machine: one that does not come to where it should is followed by another. */
export interface Start {
  /** The number of this start, from 1. */
  number: number;
  /**
   * `resting`: it stays off for a while, so that it loses what it had in memory. `setting`: its controller is to have it
   * boot from where it should.
   */
  phase: "switching_off" | "resting" | "setting" | "switching_on" | "booting";
  /** When the phase began. */
  at: string;
  /** Since when the machine may be on: before that, nothing that it or others say of it is of this start. */
  since?: string;
}

/** One start after another, until the server reports that it runs what it should. */
export interface ServerStart extends Start {
  /** The operation that starts it. */
  operation: string;
  /** What it starts from: what the site controller answers, or what is on its disk. */
  from: "network" | "disk";
  /** What its controller said last of its power. */
  power?: PowerState;
  /** When it last asked for what it is to boot, and for its seed, since this start. */
  asked?: string;
  seeded?: string;
}

/** What a system said last when it had started. */
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
      // The last of the files that an installer reads.
      return boot && boot.seeded === undefined && report.part === "vendor-data"
        ? { ...object, boot: { ...boot, seeded: now } }
        : undefined;
    case "phone_home":
      return withPhoned(object, phonedHome(report, now));
    default:
      return undefined;
  }
}

/** So long (ms) a server that phones home again, and says the same, is not written down again. */
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
  // cloud-init says N/A of a key that the machine does not have.
  const keys = Object.entries({ rsa, ecdsa, ed25519 }).flatMap(([type, key]) =>
    key === undefined || key === "N/A" ? [] : [[type, key.trim()] as const],
  );
  return {
    at,
    ...(hostname !== undefined && { hostname }),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
  };
}

/** Whether the server is on its way from the network, so that what it asks for is meant for it. */
export const isNetworkStart = ({ boot }: Starting): boolean =>
  boot?.since !== undefined && boot.from === "network";

/** Whether the server has asked what to boot since this start. */
export const hasAsked = ({ boot }: Starting): boolean =>
  boot?.since !== undefined && boot.asked !== undefined;

/**
 * Whether the system has reported since this start. Of one that reports nothing, the last that is known is that its
 * server has asked what to boot, or is on.
 */
export function hasPhoned({ boot, phoned, isSilent }: Starting): boolean {
  if (boot?.since === undefined) return false;
  if (isSilent) return boot.from === "disk" ? boot.phase === "booting" : boot.asked !== undefined;
  return phoned !== undefined && phoned.at >= boot.since;
}
