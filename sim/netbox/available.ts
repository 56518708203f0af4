import { addressOf } from "../../core/ipv4.ts";
import { lengthOf } from "../../core/prefix.ts";
import { contains, freePrefixes, hostOf, spanOf } from "./addresses.ts";
import { NetboxRefusal } from "./error.ts";
import type { NetboxRecords } from "./records.ts";
import type { AssignableType, NetboxType } from "./types.ts";

/** The next free VLAN ids, prefixes and addresses, which NetBox allocates under a lock. */

export interface Available {
  parent: NetboxType;
  child: AssignableType;
  /** The bodies with their allocated numbers; undefined where too few are free. */
  give(records: NetboxRecords, parent: number, bodies: Body[]): Body[] | undefined;
}
type Body = Record<string, unknown>;

export const available: Record<string, Available> = {
  "ipam/vlan-groups/available-vlans": {
    parent: "ipam.vlangroup",
    child: "ipam.vlan",
    give(records, id, bodies) {
      const taken = new Set(
        records.list("ipam.vlan").flatMap(({ group, vid }) => (group === id ? [vid] : [])),
      );
      const free = records
        .known("ipam.vlangroup", id)
        .vid_ranges.flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, n) => first + n),
        )
        .filter((vid) => !taken.has(vid));
      if (free.length < bodies.length) return undefined;
      return bodies.map((body, n) => ({ ...body, vid: free[n], group: id }));
    },
  },
  "ipam/prefixes/available-prefixes": {
    parent: "ipam.prefix",
    child: "ipam.prefix",
    give(records, id, bodies) {
      const parent = records.known("ipam.prefix", id);
      const whole = spanOf(parent.prefix);
      const taken = records
        .list("ipam.prefix")
        .filter(({ prefix }) => lengthOf(prefix) > lengthOf(parent.prefix))
        .map(({ prefix }) => spanOf(prefix))
        .filter((span) => contains(whole, span));
      const given: Body[] = [];
      for (const { prefix_length: length, ...body } of bodies) {
        if (typeof length !== "number") {
          const text =
            length === undefined ? "this field can not be missing" : "this field must be int type";
          throw new NetboxRefusal(400, { prefix_length: text });
        }
        const free = freePrefixes(whole, taken).find((each) => lengthOf(each) <= length);
        if (free === undefined) return undefined;
        const prefix = `${free.split("/")[0]}/${length}`;
        taken.push(spanOf(prefix));
        given.push({ ...body, prefix });
      }
      return given;
    },
  },
  "ipam/ip-ranges/available-ips": {
    parent: "ipam.iprange",
    child: "ipam.ipaddress",
    give(records, id, bodies) {
      const { start_address: start, end_address: end } = records.known("ipam.iprange", id);
      const taken = new Set(records.list("ipam.ipaddress").map(({ address }) => hostOf(address)));
      const given: Body[] = [];
      for (let host = hostOf(start); host <= hostOf(end) && given.length < bodies.length; host++)
        if (!taken.has(host))
          given.push({ ...bodies[given.length], address: `${addressOf(host)}/${lengthOf(start)}` });
      return given.length < bodies.length ? undefined : given;
    },
  },
};
