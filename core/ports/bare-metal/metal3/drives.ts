import type { BareMetalServer, ServerDrives } from "../server.ts";

/**
 * The drives of a server, through its own controller. `open` answers the controller once the
 * operator has detached the server.
 */
export const controllerDrives = (open: () => Promise<BareMetalServer>): ServerDrives => ({
  list: async () => drivesOf(await open()).list(),
  erase: async (drive, method, isAgain) => drivesOf(await open()).erase(drive, method, isAgain),
});

function drivesOf({ drives }: BareMetalServer): ServerDrives {
  if (!drives) throw new Error("the controller has no drives");
  return drives;
}
