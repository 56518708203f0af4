import * as z from "zod";
import { timestamp } from "../../../clock.ts";
import type { NetboxApi } from "../../netbox/api.ts";

/**
 * Changes in NetBox, from its change log. A record's own `last_updated` is not enough: a device's does not
 * change with its interfaces, an interface's does not change with a cable behind a patch panel, and a deleted
 * record has none.
 */

const path = "/api/core/object-changes/";

const changedData = z.looseObject({
  device: z.int().nullish(),
  assigned_object_id: z.int().nullish(),
});
const changeSchema = z.object({
  id: z.int(),
  time: z.string(),
  changed_object_type: z.string(),
  changed_object_id: z.int(),
  prechange_data: changedData.nullable(),
  postchange_data: changedData.nullable(),
});
type Change = z.infer<typeof changeSchema>;

/** Changes of these types concern only the device that they name. */
const ofDevices = ["dcim.device", "dcim.interface"];
/** Changes of these types can concern any device: its path to a switch, or names in its record. */
const ofAny = [
  "dcim.cable",
  "dcim.frontport",
  "dcim.rearport",
  "dcim.macaddress",
  "dcim.site",
  "dcim.rack",
  "dcim.devicerole",
  "dcim.devicetype",
  "extras.tag",
];
/** Only interfaces' addresses, one of which may be a controller's. */
const address = "ipam.ipaddress";

/** A transaction's entries get their ids before others can see them, so the newest entries are read again. */
const settling = 120_000;

/** The ids of the changed devices; `any` when all may have changed. */
export interface Changes {
  devices: ReadonlySet<number> | "any";
  /** The id of the last entry that was read. */
  since: number;
}

/** The last entry before which no others can appear; 0 if there is none. `now` in milliseconds. */
export async function lastEntry(api: NetboxApi, now: number): Promise<number> {
  const query = { time_before: timestamp(now - settling), ordering: "-id", limit: 1 };
  return (await firstOf(api, query)) ?? 0;
}

export async function changesSince(api: NetboxApi, since: number, now: number): Promise<Changes> {
  // NetBox deletes entries, after 90 days by default.
  const oldest = await firstOf(api, { ordering: "id", limit: 1 });
  if (since > 0 && (oldest === undefined || oldest > since))
    return { devices: "any", since: await lastEntry(api, now) };
  const changed_object_type = [...ofDevices, ...ofAny, address];
  const devices = new Set<number>();
  let isAny = false;
  let last = since;
  for await (const changes of api.pages(
    path,
    changeSchema,
    { changed_object_type },
    { after: since },
  ))
    for (const change of changes) {
      if (Date.parse(change.time) < now - settling) last = change.id;
      const concerned = devicesOf(change);
      if (concerned === "any") isAny = true;
      else for (const id of concerned) devices.add(id);
    }
  return { devices: isAny ? "any" : devices, since: last };
}

function devicesOf(change: Change): number[] | "any" {
  const { changed_object_type: type, prechange_data: before, postchange_data: after } = change;
  if (type === "dcim.device") return [change.changed_object_id];
  if (ofDevices.includes(type))
    return [before?.device, after?.device].filter((id) => typeof id === "number");
  if (ofAny.includes(type)) return "any";
  const isAssigned = before?.assigned_object_id ?? after?.assigned_object_id;
  return type === address && isAssigned ? "any" : [];
}

const firstSchema = z.object({ results: z.array(z.object({ id: z.int() })) });

async function firstOf(
  api: NetboxApi,
  query: Record<string, string | number>,
): Promise<number | undefined> {
  return (await api.read(path, firstSchema, query)).results[0]?.id;
}
