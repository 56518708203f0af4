import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { RedfishApi } from "./api.ts";

/** The resources of a controller, as far as the adapter reads them. */

const link = z.object({ "@odata.id": z.string() });
const links = z.array(link).catch([]).default([]);
export const collectionSchema = z.object({ Members: z.array(link) });

/** An action: where to send it, and which values it takes. */
const actionSchema = z.looseObject({
  target: z.string(),
  "ResetType@Redfish.AllowableValues": z.array(z.string()).optional(),
  "@Redfish.ActionInfo": z.string().optional(),
});

export const bootSchema = z.looseObject({
  BootSourceOverrideTarget: z.string().nullish(),
  BootSourceOverrideEnabled: z.string().nullish(),
  BootSourceOverrideMode: z.string().nullish(),
  HttpBootUri: z.string().nullish(),
  "BootSourceOverrideTarget@Redfish.AllowableValues": z.array(z.string()).optional(),
});
export type Boot = z.infer<typeof bootSchema>;

export const systemSchema = z.looseObject({
  "@odata.id": z.string(),
  UUID: z.string().nullish(),
  SerialNumber: z.string().nullish(),
  Manufacturer: z.string().nullish(),
  Model: z.string().nullish(),
  PowerState: z.string().nullish(),
  Boot: bootSchema.nullish(),
  Links: z.looseObject({ ManagedBy: links }).optional(),
  VirtualMedia: link.optional(),
  EthernetInterfaces: link.optional(),
  "@Redfish.Settings": z.looseObject({ SettingsObject: link }).optional(),
  Actions: z.looseObject({ "#ComputerSystem.Reset": actionSchema.optional() }).optional(),
});
export type System = z.infer<typeof systemSchema>;

/** The path of the only system of a controller. Throws Rejected when it has none or several. */
export async function onlySystem(api: RedfishApi): Promise<string> {
  const root = await api.read("/redfish/v1/", z.looseObject({ Systems: link }));
  const { Members } = await api.read(root.Systems["@odata.id"], collectionSchema);
  const [first, ...others] = Members;
  if (first && others.length === 0) return first["@odata.id"];
  const message = `the server's controller has ${Members.length} systems: its address must name one`;
  throw new AppError("Rejected", message);
}
