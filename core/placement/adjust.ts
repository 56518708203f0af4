import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../kernel/deps.ts";
import { rewritten } from "../kernel/events/rewrite.ts";
import { objectKey, poolKey } from "../kernel/object/keys.ts";
import { load, optimistically, putChanged, type Records } from "../kernel/object/records.ts";
import { eq, type Write } from "../kernel/store/store.ts";
import type { Host } from "./host.ts";
import { type HostOwner, hostStatus, isUsable, type NamedOwner, ownerOf } from "./host.ts";
import { countFree } from "./inventory.ts";
import { admitHost, ownerIn, type PoolPlace, withdrawHost } from "./pool.ts";
import { hostQueue, wakeQueues } from "./tickets.ts";

interface Adjusted {
  admitted?: { hub: string; hostType: string };
  holder?: HostOwner;
}

/**
 * Puts a host into the pool when it can be claimed, and takes it out when it cannot; a held host stays
 * with its holder. Decides by the host's record in the same transaction, so that late and repeated
 * reports cannot restore an older state or an older place. Updates the host's state. Answers the owner
 * that holds the host.
 */
export async function adjustPool(deps: Deps, id: string): Promise<HostOwner | undefined> {
  const { admitted, holder } = await optimistically<Adjusted>(deps.store, async () => {
    const host = await load(deps, "host", id);
    if (!host) return { writes: [], result: {} };
    const place = { hub: host.spec.hub, hostType: host.spec.host_type };
    const entry = await deps.store.get(poolKey(place.hub, place.hostType, id));
    const usable = isUsable(host);
    const holder = ownerIn(entry);
    const status = hostStatus(host, holder && (await namedOwner(deps, host, holder)));
    const told = isDeepStrictEqual(status, host.status)
      ? []
      : [
          putChanged(
            deps.kinds,
            rewritten(deps.kinds, host, { ...host, status }, deps.clock.now()),
          ),
        ];
    if (holder) return { writes: told, result: { holder } };
    if (entry?.state === (usable ? "free" : "out")) return { writes: told, result: {} };
    const unchanged = { check: objectKey("host", id), if: eq("revision", host.revision) };
    return {
      writes: [
        ...moved(place, id, usable, entry?.state === "free"),
        ...(told.length > 0 ? told : [unchanged]),
      ],
      result: usable ? { admitted: place } : {},
    };
  });
  if (admitted) await wakeQueues(deps, [hostQueue(admitted.hostType)], { hub: admitted.hub });
  return holder;
}

function moved(place: PoolPlace, id: string, usable: boolean, wasFree: boolean): Write[] {
  if (usable) return [admitHost(place, id), ...countFree([[place, 1]])];
  if (!wasFree) return [withdrawHost(place, id, "absent")];
  return [withdrawHost(place, id, "free"), ...countFree([[place, -1]])];
}

/** The owner of a host, with its name for people; the name does not change while the owner holds the host. */
async function namedOwner(
  records: Records,
  host: Host,
  { kind, id }: HostOwner,
): Promise<NamedOwner | undefined> {
  const known = ownerOf(host);
  if (known?.kind === kind && known.id === id) return known;
  const owner = await load(records, kind, id);
  const sets = Object.entries(owner?.placement?.hosts ?? {});
  const [role] = sets.find(([, hosts]) => hosts.some((held) => held === host.id)) ?? [];
  if (!owner || role === undefined) return undefined;
  const { tenant, name } = owner.metadata;
  return { tenant, kind, id, name, role };
}
