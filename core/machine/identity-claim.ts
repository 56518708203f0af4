import { AppError } from "../error.ts";
import { identityKey } from "../kernel/object/keys.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load, type Records } from "../kernel/object/records.ts";
import { absent, eq, type Item, type Write } from "../kernel/store/store.ts";
import { type Identity, isSameServer, namesTold } from "../ports/bare-metal/identity.ts";

/**
 * Claims a server by the identifiers that its controller reports, so that a server is registered only once, as
 * a host or a DPU. Two servers may have the same serial number, from two makers or in one chassis. If their
 * UUIDs differ they count as two, and the first one holds the claim on the serial number.
 */

export type IdentityClaimant = ObjectOf["host"] | ObjectOf["dpu"];

/** The server is already registered as another host or DPU. */
export class ServerTaken extends AppError {}

/** The new claims of an object, with the writes that make them and release earlier ones. */
export interface IdentityClaims {
  claims: string[];
  writes: Write[];
}

/**
 * The claims on a server with these identifiers; none if its controller reports none. Throws ServerTaken if
 * another host or DPU has the server.
 */
export async function claimServer(
  records: Records,
  who: IdentityClaimant,
  names: Identity,
): Promise<IdentityClaims> {
  const keys = namesTold(names).map(([sort, name]) => identityKey(sort, name));
  const items = await records.store.getMany(keys);
  const claims: string[] = [];
  const writes: Write[] = [];
  for (const [n, key] of keys.entries()) {
    const item = items[n];
    const holder = item && holderIn(item);
    const isOwn = holder?.kind === who.kind && holder.id === who.id;
    if (holder && !isOwn) {
      const other = await load(records, holder.kind, holder.id);
      if (isThis(other, who, names))
        throw new ServerTaken("FailedPrecondition", `is ${wordsOf(holder, other)}`);
      continue;
    }
    claims.push(key.pk);
    if (!item) writes.push({ put: { ...key, [who.kind]: who.id }, if: absent });
  }
  const left = (who.identity?.claims ?? []).filter((pk) => !claims.includes(pk));
  return { claims, writes: [...writes, ...released(who, left)] };
}

/** The writes that release a deleted object's claims. */
export const releaseServer = (who: IdentityClaimant): Write[] =>
  released(who, who.identity?.claims ?? []);

const released = ({ kind, id }: IdentityClaimant, claims: readonly string[]): Write[] =>
  claims.map((pk) => ({ delete: { pk, sk: "-" }, if: eq(kind, id) }));

function holderIn(item: Item): { kind: "host" | "dpu"; id: string } {
  const kind = item.host === undefined ? "dpu" : "host";
  return { kind, id: String(item[kind]) };
}

/** Whether another object has claimed the server with these identifiers. */
function isThis(
  other: IdentityClaimant | undefined,
  who: IdentityClaimant,
  names: Identity,
): boolean {
  const known = other?.identity?.known;
  if (!other || !known) return true;
  // Some DPUs report the serial number of the server that they are in.
  const isByUuid = known.uuid !== undefined && names.uuid !== undefined;
  if (!isByUuid && machineOf(other) === machineOf(who) && other.kind + who.kind !== "hosthost")
    return false;
  return isSameServer(known, names) !== false;
}

const machineOf = (one: IdentityClaimant): string =>
  "host" in one.spec ? one.spec.host.id : one.id;

const inWords = { host: "host", dpu: "DPU" };

function wordsOf(
  { kind, id }: { kind: "host" | "dpu"; id: string },
  other: IdentityClaimant | undefined,
) {
  const name = other && other.metadata.name !== id ? ` (${other.metadata.name})` : "";
  return `${inWords[kind]} '${id}'${name}`;
}
