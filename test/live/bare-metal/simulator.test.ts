import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Clock, systemClock } from "../../../core/clock.ts";
import { SimulatedBmcs } from "../../../sim/bmc/bmcs.ts";
import { type VendorName, vendorNames } from "../../../sim/bmc/profiles.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";

const python = process.env.SUSHY_PYTHON;
const client = `${import.meta.dirname}/client.py`;
const run = promisify(execFile);
const lineSchema = z.object({ what: z.string(), said: z.unknown() });

/** Simulated minutes pass in real seconds. */
const fast: Clock = {
  now: () => Date.now() * 100,
  after: (ms, fn) => systemClock.after(ms / 100, fn),
};
const mac = "52:54:00:12:34:56";

/** What sushy sees last of an erasure; it takes Dell's job, which waits for the server's start, for its end. */
const erased: Record<VendorName, unknown> = {
  dell: "Scheduled",
  hpe: [],
  supermicro: "Completed",
  lenovo: "Completed",
};

const skipped = python ? "" : ": skipped, SUSHY_PYTHON is not set (test/live/bare-metal.sh)";

describe.skipIf(!python)(`sushy on our simulated controllers${skipped}`, () => {
  const ways = vendorNames.flatMap((vendor) =>
    (["session", "basic"] as const).map((login) => ({ vendor, login })),
  );
  it.concurrent.each(ways)(
    "takes $vendor's for a real one, with $login",
    async ({ vendor, login }) => {
      const database = openDatabase(":memory:");
      const sim = new SimulatedBmcs({ database, clock: fast, faults: new Faults(database) });
      const listening = Promise.withResolvers<AddressInfo>();
      const server = serve(
        { fetch: sim.handle, hostname: "127.0.0.1", port: 0 },
        listening.resolve,
      );
      const { port } = await listening.promise;
      const id = "4c4c4544-0042-4b10-8051-b4c04f303133";
      sim.add({ id, controller: `127.0.0.1:${port}`, vendor, serial: "CN7016", macs: [mac] });
      sim.machines.write(id, "tenant-1");
      const { username, password } = sim.credential;
      const url = `http://127.0.0.1:${port}`;
      const { stdout } = await run(String(python), [client, url, login, username, password]);
      server.close();
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => lineSchema.parse(JSON.parse(line)));
      expect(Object.fromEntries(lines.map(({ what, said }) => [what, said]))).toEqual({
        power: "Off",
        macs: [mac],
        insert: ["http://images.test/discovery.iso", true],
        boot: ["Once", vendor === "supermicro" ? "UsbCd" : "Cd"],
        on: "On",
        after: ["Disabled", "None"],
        memory: 512,
        drives: ["CN7016-D0", "CN7016-D1"].map((serial) => [
          ...[serial, 1_920_383_410_176],
          // Supermicro's tell neither.
          ...(vendor === "supermicro" ? [null, null] : ["SSD", "NVMe"]),
        ]),
        erase: erased[vendor],
        eject: false,
        off: "Off",
        versions: ["7.00", "1.0.0"],
        // sushy wants a task, and HPE's make none.
        update:
          vendor === "hpe"
            ? expect.stringContaining("did not contain a Location header")
            : ["7.10", "1.0.0"],
      });
      expect(sim.machines.get(id)?.power).toBe("Off");
      const written = sim.machines.get(id)?.drives.map((drive) => drive.written);
      expect(written).toEqual([vendor === "dell" ? "tenant-1" : undefined, "tenant-1"]);
    },
  );
});
