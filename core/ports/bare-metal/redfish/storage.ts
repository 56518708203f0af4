import * as z from "zod";
import { AppError } from "../../../error.ts";
import { serialIn } from "../identity.ts";
import { actionSchema } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import { bare, link, links, reference } from "./link.ts";
import {
  isPresent,
  type Listed,
  listOf,
  type RedfishSystem,
  systemStatusSchema,
} from "./system.ts";

/** The drives of a system: in its Storage resources, or in a chassis that belongs to this system only. */

export const driveSchema = z.looseObject({
  "@odata.id": reference,
  Name: z.string().nullish(),
  SerialNumber: z.string().nullish(),
  Identifiers: z
    .array(
      z.looseObject({
        DurableName: z.string().nullish(),
        DurableNameFormat: z.string().nullish(),
      }),
    )
    .catch([])
    .default([]),
  Model: z.string().nullish(),
  MediaType: z.string().nullish(),
  Protocol: z.string().nullish(),
  CapacityBytes: z.number().nullish(),
  Status: systemStatusSchema,
  /** The operations in progress on the drive. */
  Operations: z
    .array(
      z.looseObject({
        Operation: z.string().nullish(),
        OperationName: z.string().nullish(),
        PercentageComplete: z.number().nullish(),
        AssociatedTask: link.nullish(),
      }),
    )
    .catch([])
    .default([]),
  Actions: z.looseObject({ "#Drive.SecureErase": actionSchema.optional() }).optional(),
  Oem: z.unknown().optional(),
});
export type DriveResource = z.infer<typeof driveSchema>;

export type Erasure = DriveResource["Operations"][number];

/** The running erasure of a drive, if its controller shows one; controllers name it differently. */
export const erasureOf = ({ Operations }: Pick<DriveResource, "Operations">): Erasure | undefined =>
  Operations.find(
    ({ Operation, OperationName, PercentageComplete }) =>
      PercentageComplete !== 100 && /erase|erasing|sanitiz/i.test(`${Operation} ${OperationName}`),
  );

const storageSchema = z.looseObject({ Drives: links });
const chassisSchema = z.looseObject({
  Drives: link.optional(),
  Links: z.looseObject({ Drives: links, ComputerSystems: links }).optional(),
});
/** SimpleStorage: its devices have no paths and no actions. */
const simpleSchema = z.looseObject({
  "@odata.id": reference,
  Devices: z
    .array(driveSchema.omit({ "@odata.id": true }))
    .catch([])
    .default([]),
});

/**
 * Every drive of a system that its controller knows. Throws Unavailable if the controller lists no
 * drives without a statement that there are none, because a server without drives counts as erased.
 */
export async function drivesOf(api: RedfishApi, system: RedfishSystem): Promise<DriveResource[]> {
  const stored = await inStorage(api, system);
  const drives = await read(api, stored.members);
  const paths = new Set(drives.map(pathOf));
  const serials = new Set(drives.map(({ SerialNumber }) => serialIn(SerialNumber)));
  const mounted = await inChassis(api, system);
  // Some controllers show a drive in both places, with a path for each.
  const others = await read(
    api,
    mounted.members.filter((path) => !paths.has(bare(path))),
  );
  const all = [
    ...drives,
    ...others.filter(({ SerialNumber }) => {
      const serial = serialIn(SerialNumber);
      return serial === undefined || !serials.has(serial);
    }),
  ];
  if (all.length > 0) return all;
  const simple = await listOf(api, system.SimpleStorage);
  const devices = await simpleDrives(api, simple.members);
  const isTold = stored.isTold && mounted.isTold && simple.isTold;
  if (devices.length > 0 || isTold) return devices;
  throw new AppError("Unavailable", "the server's controller does not list its drives");
}

async function read(api: RedfishApi, paths: string[]): Promise<DriveResource[]> {
  const drives = await Promise.all(paths.map((path) => api.read(path, driveSchema)));
  return drives.filter(isPresent);
}

async function inStorage(api: RedfishApi, { Storage }: RedfishSystem): Promise<Listed> {
  const { members, isTold } = await listOf(api, Storage);
  const storages = await Promise.all(members.map((member) => api.read(member, storageSchema)));
  const found = storages.flatMap(({ Drives }) => Drives.map((drive) => drive["@odata.id"]));
  return { members: unique(found), isTold };
}

/** The drives of chassis without another system: another server's drives must not be touched. */
async function inChassis(api: RedfishApi, system: RedfishSystem): Promise<Listed> {
  const found: string[] = [];
  let isTold = true;
  for (const member of system.Links?.Chassis ?? []) {
    const { Drives, Links } = await api.read(member["@odata.id"], chassisSchema);
    const systems = Links?.ComputerSystems ?? [];
    if (systems.length !== 1 || systems.some((each) => pathOf(each) !== pathOf(system))) continue;
    found.push(...(Links?.Drives ?? []).map((drive) => drive["@odata.id"]));
    const listed = await listOf(api, Drives);
    isTold &&= listed.isTold;
    found.push(...listed.members);
  }
  return { members: unique(found), isTold };
}

async function simpleDrives(api: RedfishApi, members: string[]): Promise<DriveResource[]> {
  const storages = await Promise.all(members.map((member) => api.read(member, simpleSchema)));
  return storages.flatMap((storage) =>
    storage.Devices.filter(isPresent).map((device, n) => ({
      ...device,
      "@odata.id": `${storage["@odata.id"]}#/Devices/${n}`,
    })),
  );
}

const pathOf = (resource: { "@odata.id": string }): string => bare(resource["@odata.id"]);
const unique = (paths: string[]): string[] => [
  ...new Map(paths.map((path) => [bare(path), path])).values(),
];
