import * as z from "zod";
import { serialIn } from "../identity.ts";
import { actionSchema } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import { bare, link, links, reference } from "./link.ts";
import { isPresent, membersOf, type System, statusSchema } from "./system.ts";

/** Where a system's drives are: under its storage, or in a chassis that it has for itself. */

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
  Status: statusSchema,
  /** What is being done to it. */
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

/** The erasure of a drive that goes on, if its controller shows one; each names it as it likes. */
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
/** Its devices have no paths and no actions. */
const simpleSchema = z.looseObject({
  "@odata.id": reference,
  Devices: z
    .array(driveSchema.omit({ "@odata.id": true }))
    .catch([])
    .default([]),
});

/** Every drive of a system that its controller knows. */
export async function drivesOf(api: RedfishApi, system: System): Promise<DriveResource[]> {
  const drives = await read(api, await inStorage(api, system));
  const paths = new Set(drives.map(pathOf));
  const serials = new Set(drives.map(({ SerialNumber }) => serialIn(SerialNumber)));
  // Some show a drive in both places, each with its own path.
  const others = await read(
    api,
    (await inChassis(api, system)).filter((path) => !paths.has(bare(path))),
  );
  const all = [
    ...drives,
    ...others.filter(({ SerialNumber }) => {
      const serial = serialIn(SerialNumber);
      return serial === undefined || !serials.has(serial);
    }),
  ];
  return all.length > 0 ? all : simpleDrives(api, system);
}

async function read(api: RedfishApi, paths: string[]): Promise<DriveResource[]> {
  const drives = await Promise.all(paths.map((path) => api.read(path, driveSchema)));
  return drives.filter(isPresent);
}

async function inStorage(api: RedfishApi, { Storage }: System): Promise<string[]> {
  const members = await membersOf(api, Storage);
  const storages = await Promise.all(members.map((member) => api.read(member, storageSchema)));
  return unique(storages.flatMap(({ Drives }) => Drives.map((drive) => drive["@odata.id"])));
}

/** The drives of chassis that hold no other system: what is in another server must not be touched. */
async function inChassis(api: RedfishApi, system: System): Promise<string[]> {
  const found: string[] = [];
  for (const member of system.Links?.Chassis ?? []) {
    const { Drives, Links } = await api.read(member["@odata.id"], chassisSchema);
    const systems = Links?.ComputerSystems ?? [];
    if (systems.length !== 1 || systems.some((each) => pathOf(each) !== pathOf(system))) continue;
    found.push(...(Links?.Drives ?? []).map((drive) => drive["@odata.id"]));
    found.push(...(await membersOf(api, Drives)));
  }
  return unique(found);
}

async function simpleDrives(api: RedfishApi, { SimpleStorage }: System): Promise<DriveResource[]> {
  const members = await membersOf(api, SimpleStorage);
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
