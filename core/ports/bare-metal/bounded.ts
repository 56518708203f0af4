import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import type { BareMetalServer, Drive, ServerDrives, TaskId } from "./server.ts";

/**
 * Limits the reports of a server's controller to the size that a record can hold. Texts for people
 * are truncated. Values that are used again, such as a task's name, are used whole or rejected.
 */
export function bounded(server: BareMetalServer): BareMetalServer {
  const { drives, firmware } = server;
  return {
    ...(server.take && { take: server.take.bind(server) }),
    ...(server.giveUp && { giveUp: server.giveUp.bind(server) }),
    ...(server.bears && { bears: server.bears.bind(server) }),
    ...(server.hardware && { hardware: server.hardware.bind(server) }),
    async observe(task) {
      const { task: seen, ...observed } = await server.observe(task);
      if (!seen) return observed;
      const { state, message, as } = seen;
      return {
        ...observed,
        task: {
          ...{ state, message: cut(message, bounds.reason) },
          ...(as !== undefined && { as: taskIn(as) }),
        },
      };
    },
    async identity() {
      const names = await server.identity();
      return cutMembers(names);
    },
    async identify() {
      const { macs, ...names } = await server.identify();
      return { ...cutMembers(names), macs };
    },
    powerOn: async () => taskIn(await server.powerOn()),
    powerOff: async (how) => taskIn(await server.powerOff(how)),
    powerCycle: async () => taskIn(await server.powerCycle()),
    bootOnce: async (source) => taskIn(await server.bootOnce(source)),
    insertMedia: async (image) => taskIn(await server.insertMedia(image)),
    ejectMedia: async () => taskIn(await server.ejectMedia()),
    ...(drives && { drives: boundedDrives(drives) }),
    ...(firmware && {
      firmware: {
        versions: async () => cutMembers(await firmware.versions()),
        update: async (component, image) => taskIn(await firmware.update(component, image)),
        restartController: () => firmware.restartController(),
      },
    }),
    close: () => server.close(),
  };
}

function boundedDrives(drives: ServerDrives): ServerDrives {
  return {
    ...(drives.areErasedTogether && { areErasedTogether: true }),
    async list() {
      const listed = (await drives.list()).map(
        (drive): Drive => ({ ...drive, name: cut(drive.name, longestDriveName) }),
      );
      refuseMany(listed);
      return listed;
    },
    erase: async (...asked) => taskIn(await drives.erase(...asked)),
  };
}

/** Refuses too many drives instead of truncating the list: a drive missing from it would not be erased. */
function refuseMany(drives: readonly Drive[]): void {
  const bytes = Buffer.byteLength(
    JSON.stringify(drives.map(({ id, name, serial, wwn }) => ({ id, name, serial, wwn }))),
  );
  if (drives.length <= mostDrives && bytes <= drivesBytes) return;
  throw new AppError(
    "Unavailable",
    `the server's controller reports ${drives.length} drives in ${bytes} bytes; ${mostDrives} in ${drivesBytes} are the limit`,
  );
}

const mostDrives = 128;
/** The limit, as JSON, of the identifiers that are stored to recognize drives. */
const drivesBytes = 24 * 1024;
const longestDriveName = 100;

/** The task names of Redfish are URLs. */
const longestTask = 512;

function taskIn<Id extends TaskId | undefined>(id: Id): Id {
  if (id === undefined || Buffer.byteLength(id) <= longestTask) return id;
  throw new AppError(
    "Unavailable",
    `the server's controller has a task whose name has more than ${longestTask} bytes`,
  );
}

/** The object with each of its members, all texts, truncated as a name. */
const cutMembers = <Names extends { [Name in keyof Names]?: string }>(names: Names): Names =>
  // The same members, with texts as values.
  Object.fromEntries(
    Object.entries<string | undefined>(names).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, cut(text, bounds.name)]],
    ),
  ) as Names;
