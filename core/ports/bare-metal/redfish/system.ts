import * as z from "zod";
import { AppError } from "../../../error.ts";
import { refusePage } from "../../../http-body.ts";
import { actionSchema } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import { link, links, type RedfishLink, reference } from "./link.ts";

/** The members of a controller's resources that the adapter reads. */

/**
 * Some controllers write null for an empty list, or omit it. An answer without any member of a collection,
 * such as an error, is not a collection.
 */
const collectionSchema = z
  .looseObject({
    "@odata.id": z.string().optional(),
    Members: z.array(link).nullish(),
    "Members@odata.count": z.number().nullish(),
    "Members@odata.nextLink": reference.optional(),
  })
  .refine(
    (read) => read.Members || (read["@odata.id"] !== undefined && !read["Members@odata.count"]),
  );

export const bootSchema = z.looseObject({
  BootSourceOverrideTarget: z.string().nullish(),
  BootSourceOverrideEnabled: z.string().nullish(),
  BootSourceOverrideMode: z.string().nullish(),
  HttpBootUri: z.string().nullish(),
  "BootSourceOverrideTarget@Redfish.AllowableValues": z.array(z.string()).optional(),
});
export type Boot = z.infer<typeof bootSchema>;

export const systemSchema = z.looseObject({
  "@odata.id": reference,
  UUID: z.string().nullish(),
  SerialNumber: z.string().nullish(),
  SKU: z.string().nullish(),
  Manufacturer: z.string().nullish(),
  Model: z.string().nullish(),
  PowerState: z.string().nullish(),
  BiosVersion: z.string().nullish(),
  Boot: bootSchema.nullish(),
  Links: z.looseObject({ ManagedBy: links, Chassis: links }).optional(),
  VirtualMedia: link.optional(),
  EthernetInterfaces: link.optional(),
  Storage: link.optional(),
  SimpleStorage: link.optional(),
  Processors: link.optional(),
  ProcessorSummary: z
    .looseObject({ Count: z.number().nullish(), CoreCount: z.number().nullish() })
    .nullish(),
  MemorySummary: z.looseObject({ TotalSystemMemoryGiB: z.number().nullish() }).nullish(),
  "@Redfish.Settings": z.looseObject({ SettingsObject: link }).optional(),
  Actions: z.looseObject({ "#ComputerSystem.Reset": actionSchema.optional() }).optional(),
});
export type RedfishSystem = z.infer<typeof systemSchema>;

export const systemStatusSchema = z
  .looseObject({ State: z.string().nullish(), Health: z.string().nullish() })
  .nullish();

/** Whether a resource's device is present: empty slots and bays have resources too. */
export const isPresent = ({ Status }: { Status?: z.infer<typeof systemStatusSchema> }): boolean =>
  Status?.State !== "Absent";

/** The paths of a collection's members. */
export interface Listed {
  members: string[];
  /** False if the controller lists none and does not state that there are none. */
  isTold: boolean;
}

/** The members of a collection, from all its pages; none if the collection is absent. */
export async function listOf(
  api: RedfishApi,
  collection: RedfishLink | undefined,
): Promise<Listed> {
  const members: string[] = [];
  const list = collection?.["@odata.id"];
  let isTold = true;
  let pages = 0;
  for (let page = list; page !== undefined; ) {
    // A page may link to itself.
    refusePage(++pages, `the list ${list} of the server's controller`);
    const read = await api.read(page, collectionSchema);
    isTold &&= read.Members != null || read["Members@odata.count"] === 0;
    members.push(...(read.Members ?? []).map((member) => member["@odata.id"]));
    page = read["Members@odata.nextLink"];
  }
  return { members, isTold };
}

/** The listed members, for callers to whom an unlisted member does not exist. */
export const toldOrNone = ({ members }: Listed): string[] => members;

/**
 * The path of a controller's only system. Throws Rejected if it has none or several, and Unavailable if it
 * does not say.
 */
export async function onlySystem(api: RedfishApi): Promise<string> {
  const root = await api.read("/redfish/v1/", z.looseObject({ Systems: link }));
  const { members: systems, isTold } = await listOf(api, root.Systems);
  if (!isTold)
    throw new AppError("Unavailable", "the server's controller does not list its systems");
  const [first, ...others] = systems;
  if (first !== undefined && others.length === 0) return first;
  const message = `the server's controller has ${systems.length} systems: its address must name one`;
  throw new AppError("Rejected", message);
}
