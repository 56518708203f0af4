import { v7 } from "uuid";
import type { Clock } from "./clock.ts";

/** Strings that the compiler does not mix up. `as<…>Id` converts to one, at the edge only. */
export type Id<Kind extends string> = string & { readonly __id: Kind };

export type ClusterId = Id<"cluster">;
export type OperationId = Id<"operation">;
export type HubId = Id<"hub">;
export type HostId = Id<"host">;

export const asClusterId = (id: string): ClusterId => id as ClusterId;
export const asOperationId = (id: string): OperationId => id as OperationId;
export const asHubId = (id: string): HubId => id as HubId;
export const asHostId = (id: string): HostId => id as HostId;

/** Generates ids: version 7 UUIDs on the given clock. The ids of one source always increase. */
export type NewId = () => string;

/** Within a millisecond, or when the clock does not advance, the next id is the last one plus one. */
export function idSource(clock: Clock, random: () => number): NewId {
  let last = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };
  return () => {
    const bytes = new Uint8Array(16);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    const now = clock.now();
    // Starts in the lower half of its 32 bits, so that there is room to count.
    const seq = new DataView(bytes.buffer).getUint32(6) >>> 1;
    last = now > last.msecs ? { msecs: now, seq } : { ...last, seq: last.seq + 1 };
    return v7({ ...last, random: bytes });
  };
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const alphabet = `${letters}0123456789`;

/**
 * The length of a cluster's name on its hub; short, so that names of namespaces stay within 63
 * characters.
 */
const infraIdLength = 10;

/**
 * A name for a cluster's objects outside: 10 characters, a letter first (a DNS label, HyperShift's
 * infraID). There are 26 × 36⁹ of them; the store still claims each before it is used.
 */
export function newInfraId(random: () => number): string {
  const pick = (from: string) => from.charAt(Math.floor(random() * from.length));
  return pick(letters) + Array.from({ length: infraIdLength - 1 }, () => pick(alphabet)).join("");
}
