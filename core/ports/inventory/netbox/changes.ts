import * as z from "zod";
import { timestamp } from "../../../clock.ts";
import type { NetboxApi } from "../../netbox/api.ts";

/**
 * What has changed in NetBox, by its change log. A record's own `last_updated` does not do: that of a
 * device stays when one of its interfaces changes, that of an interface when a cable behind a patch panel
 * does, and what is deleted has none.
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

/** Changes of these concern the device alone that they name. */
const ofDevices = ["dcim.device", "dcim.interface"];
/** Changes of these can concern any device: its way to a switch, and the names it is told with. */
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
/** Only addresses of interfaces, of which one may be that of a controller. */
const address = "ipam.ipaddress";

/** The entries of a transaction get their ids before others can see them, so the newest are read again. */
const settling = 120_000;

/** The ids of the devices that have changed, or that any of them may have. */
export interface Changes {
  devices: ReadonlySet<number> | "any";
  /** The entry after which to continue. */
  since: number;
}

/** The last entry before which none can appear any more; 0 while there is none. `now` in milliseconds. */
export async function lastEntry(api: NetboxApi, now: number): Promise<number> {
  const query = { time_before: timestamp(now - settling), ordering: "-id", limit: 1 };
  return (await firstOf(api, query)) ?? 0;
}

export async function changesSince(api: NetboxApi, since: number, now: number): Promise<Changes> {
  // NetBox forgets entries, after 90 days by default.
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
