import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seconds, sleep, systemClock } from "../../../core/clock.ts";
import { RedfishServer } from "../../../core/ports/bare-metal/redfish/redfish.ts";
import type { PowerState } from "../../../core/ports/bare-metal/server.ts";

const url = process.env.SUSHY_EMULATOR_URL;

const skipped = url ? "" : ": skipped, SUSHY_EMULATOR_URL is not set (test/live/bare-metal.sh)";

describe.skipIf(!url)(`our Redfish adapter on sushy-tools' emulator${skipped}`, () => {
  const server = new RedfishServer({
    address: (url ?? "http://127.0.0.1").replace(/^http:/, "redfish+http:"),
    credential: async () => ({ username: "admin", password: "password" }),
    authentication: "basic",
    wall: systemClock,
    timeout: seconds(20),
  });
  // The emulator fetches what it is told to insert.
  const images = createServer((_, response) => response.end("an image"));
  let image: string;
  beforeAll(async () => {
    await new Promise<void>((done) => images.listen(0, "127.0.0.1", done));
    image = `http://127.0.0.1:${(images.address() as AddressInfo).port}/discovery.iso`;
  });
  afterAll(() => images.close());
  const power = async (wanted: PowerState): Promise<PowerState> => {
    for (let left = 60; left > 0; left -= 1) {
      if ((await server.observe()).power === wanted) break;
      await sleep(systemClock, 500);
    }
    return (await server.observe()).power;
  };

  it("tells who the server is", async () => {
    expect(await server.identify()).toMatchObject({
      uuid: "7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01",
      macs: ["52:54:00:12:34:56"],
    });
  });

  it("is told of drives that encrypt themselves, and that nobody can erase by Redfish", async () => {
    const drive = { model: "C123", serial: "1234570", media: "hdd", methods: [] };
    const path = "/redfish/v1/Systems/7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01/Storage/1/Drives";
    expect(await server.drives.list()).toEqual([
      { ...drive, id: `${path}/bay-1`, name: "Drive 1", bytes: 899527000000, protocol: "SAS" },
      { ...drive, id: `${path}/bay-2`, name: "Drive 2", bytes: 12345670000, protocol: "SATA" },
    ]);
    await expect(server.drives.erase(`${path}/bay-1`, "cryptographic")).rejects.toMatchObject({
      kind: "Rejected",
    });
  });

  it("does not know hardware of which the emulator tells nothing", async () => {
    expect(await server.hardware()).toEqual({});
  });

  it("is told that firmware is not updated of systems that the emulator makes up", async () => {
    // It insists on being told what an image is for, and then has no version of such a system's BIOS.
    for (const [component, why] of [
      ["bios", "Failed fetching BIOS information"],
      ["bmc", "Manager is not currently a supported Target"],
    ] as const)
      await expect(server.firmware.update(component, image)).rejects.toMatchObject({
        detail: expect.stringContaining(why),
      });
  });

  it("inserts an image, boots from it, and ejects it", async () => {
    await server.insertMedia(image);
    await server.insertMedia(image);
    await server.bootOnce({ from: "media" });
    // The emulator takes `Once` and makes it `Continuous`.
    expect(await server.observe()).toMatchObject({
      media: image,
      nextBoot: { from: "media", isOnce: false },
    });
    await server.ejectMedia();
    await server.ejectMedia();
    expect(await server.observe()).not.toHaveProperty("media");
  });

  it("switches the power on and off, though it takes seconds", async () => {
    await server.powerOn();
    expect(await power("on")).toBe("on");
    await server.powerOn();
    await server.powerOff("forced");
    expect(await power("off")).toBe("off");
  });

  it("is told why an image cannot be had", async () => {
    await expect(server.insertMedia("http://127.0.0.1:1/no.iso")).rejects.toMatchObject({
      kind: expect.stringMatching(/^(Rejected|Unavailable)$/),
    });
    expect(await server.observe()).not.toHaveProperty("media");
  });
});
