import { beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../../core/clock.ts";
import type { FirmwareComponent } from "../../../../core/ports/bare-metal/firmware.ts";
import { asking, type FirmwareFixture } from "./fixture.ts";

/** What holds of a server's firmware, where its service updates it. */
export function firmwareContract(open: () => FirmwareFixture | Promise<FirmwareFixture>): void {
  let at: FirmwareFixture;
  const { observe, failure, insisting } = asking(() => at);
  beforeEach(async () => {
    at = await open();
  });
  const versions = () => at.run(at.server.firmware.versions());
  const image = (component: FirmwareComponent) => `https://images.test/${component}-9.1.bin`;
  /** Has an update come to its end, and answers how; what waits for the server's start is given one. */
  const end = async (task: string | undefined) => {
    for (let left = 60; left > 0; left -= 1) {
      const seen = task === undefined ? undefined : (await observe(task)).task;
      if (seen?.state === "staged") await insisting(() => at.server.powerCycle());
      else if (task === undefined ? left < 30 : seen?.state !== "pending") return seen?.state;
      await at.pass(seconds(30));
    }
    throw new Error("the update does not end");
  };

  it("is told of by component", async () => {
    expect(await versions()).toEqual(at.versions);
  });

  it("of the server is updated, and runs from its next start on", async () => {
    const task = await at.run(at.server.firmware.update("bios", image("bios")));
    expect(await versions()).toEqual(at.versions);
    await end(task);
    await insisting(() => at.server.powerCycle());
    await at.pass(minutes(10));
    expect(await versions()).toEqual({ ...at.versions, bios: "9.1" });
  });

  it("of the controller is updated, which does not answer while it restarts", async () => {
    await at.run(at.server.firmware.update("bmc", image("bmc")));
    await at.pass(minutes(5));
    expect(await failure(at.server.firmware.versions())).toMatchObject({ kind: "Unavailable" });
    await at.pass(minutes(5));
    expect(await versions()).toEqual({ ...at.versions, bmc: "9.1" });
  });

  it("is updated once when that is asked for twice", async () => {
    const task = await at.run(at.server.firmware.update("bios", image("bios")));
    const again = at.server.firmware.update("bios", image("bios"));
    if (at.namesUpdates) expect(await at.run(again)).toBe(task);
    else expect(await failure(again)).toMatchObject({ kind: "Unavailable" });
  });

  it("is what it was when the update fails, or ends well and changes nothing", async () => {
    for (const [fault, state] of [
      ["fails", "failed"],
      ["stays", "done"],
    ] as const) {
      at.faults.add({ target: "bmc", operation: `firmware ${fault}`, fault: "hold" });
      const task = await at.run(at.server.firmware.update("bios", image("bios")));
      expect(await end(task)).toBe(task === undefined ? undefined : state);
      await insisting(() => at.server.powerCycle());
      await at.pass(minutes(10));
      expect(await versions()).toEqual(at.versions);
      at.faults.clear();
    }
  });

  it("of a controller that is asked to restart is as before", async () => {
    await at.run(at.server.firmware.restartController());
    expect(await failure(at.server.observe())).toMatchObject({ kind: "Unavailable" });
    await at.pass(minutes(5));
    expect(await versions()).toEqual(at.versions);
  });
}
