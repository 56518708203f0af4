import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, seconds, sleep, systemClock } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { standalone } from "../../../core/ports/bare-metal/ironic/access.ts";
import { IronicApi } from "../../../core/ports/bare-metal/ironic/api.ts";
import { IronicServer } from "../../../core/ports/bare-metal/ironic/ironic.ts";
import type { ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import { SimulatedBmcs } from "../../../sim/bmc/bmcs.ts";
import { profiles, vendorNames } from "../../../sim/bmc/profiles.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";

const url = process.env.IRONIC_URL;
const skipped = url ? "" : ": skipped, IRONIC_URL is not set (test/live/bare-metal.sh)";

/** Simulated minutes pass in real seconds. */
const fast: Clock = {
  now: () => Date.now() * 50,
  after: (ms, fn) => systemClock.after(ms / 50, fn),
};

/** Tries until the service is able to, as a step does. */
async function insisting<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError && error.retryable) || left === 0) throw error;
      await sleep(systemClock, 2000);
    }
  }
}

describe.skipIf(!url)(`our adapter on Ironic, on our simulated controllers${skipped}`, () => {
  const http = { wall: systemClock, timeout: seconds(60), fetch };
  const api = new IronicApi({ ...standalone(url ?? ""), ...http });
  // Ironic asks for an image's size, fetches it, and serves a copy of it to the controllers.
  const images = createServer((_, response) => {
    response.setHeader("content-length", 8);
    response.end("an image");
  });
  let image: string;
  beforeAll(async () => {
    await new Promise<void>((done) => images.listen(0, "127.0.0.1", done));
    image = `http://127.0.0.1:${(images.address() as AddressInfo).port}/discovery.iso`;
  });
  afterAll(() => images.close());

  const send = async (method: string, path: string, body: object) => {
    const headers = {
      "content-type": "application/json",
      "x-openstack-ironic-api-version": "1.93",
    };
    const reply = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  };

  /** What the server is observed to be, once it is so. */
  const observed = async (server: IronicServer, isSo: (seen: ServerObservation) => boolean) => {
    let seen = await insisting(() => server.observe("last"));
    for (let left = 100; left > 0 && !isSo(seen) && seen.task?.state !== "failed"; left -= 1) {
      await sleep(systemClock, 2000);
      seen = await insisting(() => server.observe("last"));
    }
    return seen;
  };

  it.concurrent.each(vendorNames)(
    "starts a server of %s from an image, though its controller is faulty",
    async (vendor) => {
      const database = openDatabase(":memory:");
      const faults = new Faults(database);
      const sim = new SimulatedBmcs({ database, clock: fast, faults });
      const listening = Promise.withResolvers<AddressInfo>();
      const bmc = serve({ fetch: sim.handle, hostname: "127.0.0.1", port: 0 }, listening.resolve);
      const controller = `127.0.0.1:${(await listening.promise).port}`;
      const mac = `52:54:00:00:00:0${vendorNames.indexOf(vendor)}`;
      const machine = `4c4c4544-0042-4b10-8051-b4c04f30313${vendorNames.indexOf(vendor)}`;
      sim.add({ id: machine, controller, vendor, serial: "CN7016", macs: [mac] });
      const { username, password } = sim.credential;
      await send("POST", "/v1/nodes", {
        name: vendor,
        driver: "redfish",
        boot_interface: "redfish-virtual-media",
        deploy_interface: "ramdisk",
        network_interface: "noop",
        driver_info: {
          redfish_address: `http://${controller}`,
          redfish_system_id: `/redfish/v1/Systems/${profiles[vendor].system}`,
          redfish_username: username,
          redfish_password: password,
        },
      });
      const server = new IronicServer(api, vendor);
      const { uuid } = await insisting(() => server.identify());
      await send("POST", "/v1/ports", { node_uuid: uuid, address: mac });
      await send("PUT", `/v1/nodes/${vendor}/states/provision`, { target: "manage" });
      expect(await observed(server, ({ power }) => power === "off")).toMatchObject({
        power: "off",
      });
      expect(await insisting(() => server.identify())).toEqual({ uuid, macs: [mac] });

      faults.add({
        target: "bmc",
        operation: profiles[vendor].insertBy === "change" ? "PATCH /redfish" : "POST /redfish",
        fault: "error",
        status: 503,
        count: 1,
      });
      await insisting(() => server.insertMedia(image));
      const inserted = await observed(
        server,
        ({ media, task }) => media !== undefined && task?.state === "done",
      );
      expect(inserted).toMatchObject({
        media: expect.stringMatching(/^http/),
        task: { state: "done" },
      });
      await insisting(() => server.bootOnce({ from: "media" }));
      await insisting(() => server.powerOn());
      const running = await observed(
        server,
        ({ power, task }) => power === "on" && task?.state === "done",
      );
      expect(running).toMatchObject({ power: "on", task: { state: "done" } });
      for (let left = 60; left > 0 && !sim.machines.get(machine)?.booted; left -= 1)
        await sleep(systemClock, 200);
      expect(sim.machines.get(machine)?.booted).toEqual({ from: "media", url: inserted.media });

      await insisting(() => server.ejectMedia());
      expect(await observed(server, ({ media }) => media === undefined)).not.toHaveProperty(
        "media",
      );
      await insisting(() => server.powerOff("forced"));
      expect(await observed(server, ({ power }) => power === "off")).toMatchObject({
        power: "off",
      });
      expect(sim.machines.get(machine)?.power).toBe("Off");
      bmc.close();
    },
  );

  it("is asked for a new node, which is taken, inspected, and is ours until we give it up", async () => {
    const database = openDatabase(":memory:");
    const faults = new Faults(database);
    const sim = new SimulatedBmcs({ database, clock: fast, faults });
    const listening = Promise.withResolvers<AddressInfo>();
    const bmc = serve({ fetch: sim.handle, hostname: "127.0.0.1", port: 0 }, listening.resolve);
    const controller = `127.0.0.1:${(await listening.promise).port}`;
    const machine = "4c4c4544-0042-4b10-8051-b4c04f303150";
    const macs = ["52:54:00:00:00:50"];
    sim.add({ id: machine, controller, vendor: "dell", serial: "CN7050", macs });
    const { username, password } = sim.credential;
    await send("POST", "/v1/nodes", {
      ...{ name: "taken", driver: "redfish", network_interface: "noop" },
      ...{ boot_interface: "redfish-virtual-media", deploy_interface: "direct" },
      inspect_interface: "redfish",
      driver_info: {
        redfish_address: `http://${controller}`,
        redfish_system_id: `/redfish/v1/Systems/${profiles.dell.system}`,
        redfish_username: username,
        redfish_password: password,
      },
    });
    const server = new IronicServer(api, "taken");
    await insisting(() => server.take("host-1"));
    await expect(server.take("host-2")).rejects.toMatchObject({
      kind: "Rejected",
      message: "expected the node taken to be unclaimed; its extra says that it is the host host-1",
    });
    await insisting(() => server.drives.list());

    // There is no ramdisk, so its cleaning fails, and a later call makes the node manageable again.
    const task = await insisting(() => server.drives.erase());
    let seen = await insisting(() => server.observe(task));
    for (let left = 60; left > 0 && seen.task?.state === "pending"; left -= 1) {
      await sleep(systemClock, 1000);
      seen = await insisting(() => server.observe(task));
    }
    expect(seen.task).toMatchObject({ state: "failed", message: expect.stringMatching(/\S/) });
    await insisting(() => server.take("host-1"));

    await server.giveUp("host-2");
    await expect(server.take("host-2")).rejects.toMatchObject({ kind: "Rejected" });
    await server.giveUp("host-1");
    await insisting(() => server.take("host-2"));
    bmc.close();
  });
});
