import { AppError } from "../error.ts";
import { identityKey } from "../kernel/object/keys.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load, type Records } from "../kernel/object/records.ts";
import { absent, eq, type Item, type Write } from "../kernel/store/store.ts";
import { type Identity, isSameServer, namesTold } from "../ports/bare-metal/identity.ts";

/**
 * The claim of a server by the names that its controller tells: a server is one host, or one DPU, by whatever name its
 * controller was registered. Two servers may tell one serial number, of two makers or in one chassis: they are two where
 * their UUIDs differ, and the name is then that of the first.
 */

export type IdentityClaimant = ObjectOf["host"] | ObjectOf["dpu"];

/** Another host or DPU is the server that was found. */
export class ServerTaken extends AppError {}

/** What an object claims, and the writes by which it does and releases what it had. */
export interface IdentityClaims {
  claims: string[];
  writes: Write[];
}

/**
 * The claims of an object on the server with these names. Of a server that tells none there are none. Throws ServerTaken
 * where another host or DPU is that server.
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

/** The writes by which an object that goes is no server any more. */
export const releaseServer = (who: IdentityClaimant): Write[] =>
  released(who, who.identity?.claims ?? []);

const released = ({ kind, id }: IdentityClaimant, claims: readonly string[]): Write[] =>
  claims.map((pk) => ({ delete: { pk, sk: "-" }, if: eq(kind, id) }));

function holderIn(item: Item): { kind: "host" | "dpu"; id: string } {
  const kind = item.host === undefined ? "dpu" : "host";
  return { kind, id: String(item[kind]) };
}

/** Whether the server with these names is that of the other object. */
function isThis(
  other: IdentityClaimant | undefined,
  who: IdentityClaimant,
  names: Identity,
): boolean {
  const known = other?.identity?.known;
  if (!other || !known) return true;
  // Some DPUs tell the serial number of the server that they are in.
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
