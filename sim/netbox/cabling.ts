import type { NetboxRecords } from "./records.ts";
import type { RowOf, Termination } from "./types.ts";

/** Follows cables from port to port, through patch panels. */

export interface Path {
  cable: RowOf<"dcim.cable"> | undefined;
  end: "" | "A" | "B";
  /** The other end of the cable. */
  peers: Termination[];
  /** The interfaces at the far end of the whole path; none where it ends before one. */
  ends: Termination[];
  /** Whether the path is complete and all its cables are connected; absent without a cable. */
  isReachable: boolean | null;
}

export function pathFrom(records: NetboxRecords, from: Termination): Path {
  const first = cableAt(records, from);
  if (!first) return { cable: undefined, end: "", peers: [], ends: [], isReachable: null };
  let isActive = true;
  const follow = (at: Termination, seen: ReadonlySet<number>): Termination[] => {
    const found = cableAt(records, at);
    if (!found || seen.has(found.cable.id)) return [];
    if (found.cable.status !== "connected") isActive = false;
    return found.peers.flatMap((peer) => {
      if (peer.object_type === "dcim.interface") return [peer];
      const through = otherSide(peer);
      return through ? follow(through, new Set([...seen, found.cable.id])) : [];
    });
  };
  /** On a trunk between two panels, the position is that of the front port where the path came in. */
  let position = 1;
  function otherSide(at: Termination): Termination | undefined {
    if (at.object_type === "dcim.frontport") {
      const front = records.known("dcim.frontport", at.object_id);
      position = front.rear_port_position;
      return { object_type: "dcim.rearport", object_id: front.rear_port };
    }
    const front = records
      .list("dcim.frontport")
      .find((one) => one.rear_port === at.object_id && one.rear_port_position === position);
    return front && { object_type: "dcim.frontport", object_id: front.id };
  }
  const ends = follow(from, new Set());
  return { ...first, ends, isReachable: ends.length > 0 && isActive };
}

const isAt = (one: Termination, other: Termination): boolean =>
  one.object_type === other.object_type && one.object_id === other.object_id;

function cableAt(records: NetboxRecords, at: Termination) {
  for (const cable of records.list("dcim.cable")) {
    const { a_terminations: a, b_terminations: b } = cable;
    if (a.some((one) => isAt(one, at))) return { cable, end: "A" as const, peers: b };
    if (b.some((one) => isAt(one, at))) return { cable, end: "B" as const, peers: a };
  }
  return undefined;
}
