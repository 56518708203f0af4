import { beforeEach, describe, expect, it } from "vitest";
import { minutes } from "../../../../core/clock.ts";
import type { BootSource } from "../../../../core/ports/bare-metal/server.ts";
import type { Booted } from "../../../../sim/bmc/machine.ts";
import { asking, type BareMetalFixture, start } from "./fixture.ts";

const image = "https://images.test/discovery.iso";
const other = "https://images.test/other.iso";

export function bareMetalContract(open: () => BareMetalFixture | Promise<BareMetalFixture>): void {
  let at: BareMetalFixture;
  const { observe, failure, insisting, switchOn } = asking(() => at);
  beforeEach(async () => {
    at = await open();
  });

  it("tells who the server is", async () => {
    const identity = await at.run(at.server.identify());
    expect(identity.macs).toEqual(at.macs);
    expect(identity.uuid ?? identity.serial).toMatch(/\S/);
  });

  it("switches the power on, once however often it is asked", async () => {
    expect(await observe()).toMatchObject({ power: "off" });
    await insisting(() => at.server.powerOn());
    await insisting(() => at.server.powerOn());
    await at.pass(start);
    expect(await observe()).toMatchObject({ power: "on" });
    expect(at.booted()).toEqual({ from: "disk" });
    await insisting(() => at.server.powerOn());
    expect(at.starts()).toBe(1);
  });

  it("switches the power off by force, and by asking the system", async () => {
    for (const how of ["forced", "graceful"] as const) {
      await switchOn();
      await insisting(() => at.server.powerOff(how));
      await at.pass(minutes(1));
      expect(await observe()).toMatchObject({ power: "off" });
      await insisting(() => at.server.powerOff(how));
      expect(await observe()).toMatchObject({ power: "off" });
    }
    expect(at.starts()).toBe(2);
  });

  it("restarts a server that is on, and starts one that is off", async () => {
    await insisting(() => at.server.powerCycle());
    await at.pass(start);
    expect(at.starts()).toBe(1);
    await insisting(() => at.server.powerCycle());
    await at.pass(start);
    expect(await observe()).toMatchObject({ power: "on" });
    expect(at.starts()).toBe(2);
  });

  it.each<[BootSource, Booted]>([
    [{ from: "media" }, { from: "media", url: image }],
    [{ from: "network" }, { from: "network" }],
    [
      { from: "http", url: "https://images.test/boot.efi" },
      { from: "http", url: "https://images.test/boot.efi" },
    ],
    [{ from: "disk" }, { from: "disk" }],
  ])("boots once from %j, and from its disk afterwards", async (source, from) => {
    if (!at.sources.includes(source.from)) {
      const error = await failure(at.server.bootOnce(source));
      expect(error).toMatchObject({ kind: "Rejected" });
      return;
    }
    const { bootsOnce } = at;
    const booted = from.from === "media" ? { ...from, url: at.shown(from.url) } : from;
    if (source.from === "media") await insisting(() => at.server.insertMedia(image));
    await insisting(() => at.server.bootOnce(source));
    await insisting(() => at.server.bootOnce(source));
    if (bootsOnce || source.from === "media")
      expect(await observe()).toMatchObject({ nextBoot: { from: source.from, isOnce: bootsOnce } });
    await switchOn();
    expect(at.booted()).toEqual(booted);
    if (bootsOnce) expect(await observe()).not.toHaveProperty("nextBoot");
    else await insisting(() => at.server.ejectMedia());
    await insisting(() => at.server.powerCycle());
    await at.pass(start);
    expect(at.booted()).toEqual({ from: "disk" });
  });

  it("boots from what it was told last", async () => {
    if (!at.sources.includes("network")) return;
    await insisting(() => at.server.bootOnce({ from: "network" }));
    await insisting(() => at.server.insertMedia(image));
    await insisting(() => at.server.bootOnce({ from: "media" }));
    expect(await observe()).toMatchObject({ nextBoot: { from: "media", isOnce: true } });
    await switchOn();
    expect(at.booted()).toEqual({ from: "media", url: at.shown(image) });
  });

  it("has one image in the drive, the last, and empties it", async () => {
    expect(await observe()).not.toHaveProperty("media");
    await insisting(() => at.server.insertMedia(image));
    await insisting(() => at.server.insertMedia(image));
    expect(await observe()).toMatchObject({ media: at.shown(image) });
    await insisting(() => at.server.insertMedia(other));
    expect(await observe()).toMatchObject({ media: at.shown(other) });
    await insisting(() => at.server.ejectMedia());
    // Some still show what was in there a moment ago, and have nothing to eject.
    await insisting(() => at.server.ejectMedia());
    await at.pass(minutes(1));
    expect(await observe()).not.toHaveProperty("media");
    await insisting(() => at.server.ejectMedia());
  });

  it("does not boot from a drive that is empty", async () => {
    if (!at.bootsOnce) {
      const error = await failure(at.server.bootOnce({ from: "media" }));
      expect(error).toMatchObject({ kind: "Rejected" });
      return;
    }
    await insisting(() => at.server.bootOnce({ from: "media" }));
    await switchOn();
    expect(at.booted()).toEqual({ from: "disk" });
  });

  describe("on a bad day", () => {
    it.each([
      [{ fault: "error", status: 429 }, "Unavailable"],
      [{ fault: "error", status: 500 }, "Unavailable"],
      [{ fault: "error", status: 503 }, "Unavailable"],
      [{ fault: "conflict" }, "Unavailable"],
      [{ fault: "error", status: 422 }, "Rejected"],
      [{ fault: "error", status: 403 }, "Rejected"],
      [{ fault: "crash_before" }, "Unavailable"],
      [{ fault: "timeout" }, "Unavailable"],
    ] as const)("says so when it meets %j: %s, and goes on later", async (fault, kind) => {
      at.faults.add({ target: "bmc", operation: at.power, count: 0, ...fault });
      expect(await failure(at.server.powerOn())).toMatchObject({ kind });
      expect(at.starts()).toBe(0);
      at.faults.clear();
      await switchOn();
      expect(await observe()).toMatchObject({ power: "on" });
    });

    it("switches on once when the answer is lost after the effect", async () => {
      at.faults.add({ target: "bmc", operation: at.power, fault: "crash_after" });
      expect(await failure(at.server.powerOn())).toMatchObject({ kind: "Unavailable" });
      await switchOn();
      expect(at.starts()).toBe(1);
    });

    it("waits while its credentials are not accepted", async () => {
      expect(await failure(at.stranger.powerOn())).toMatchObject({
        kind: "Unavailable",
        message: expect.stringMatching(/does not accept our credentials$/),
      });
      expect(at.starts()).toBe(0);
    });

    it("shows no secret in an error", async () => {
      const errors = [await failure(at.stranger.powerOn())];
      for (const status of [422, 500]) {
        at.faults.add({ target: "bmc", fault: "error", status });
        errors.push(await failure(at.server.insertMedia(image)));
      }
      for (const error of errors) {
        const shown = `${error.message} ${error.detail} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
        for (const secret of at.secrets) expect(shown).not.toContain(secret);
      }
    });
  });
}
