import { beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../../core/clock.ts";
import { type ErasureMethod, strongest } from "../../../../core/ports/bare-metal/erasure.ts";
import type { Drive } from "../../../../core/ports/bare-metal/server.ts";
import { asking, type DrivesFixture } from "./fixture.ts";

/** What holds of a server's drives, where its service erases them one by one. */
export function drivesContract(open: () => DrivesFixture | Promise<DrivesFixture>): void {
  let at: DrivesFixture;
  const { observe, failure, insisting, switchOn } = asking(() => at);
  let list: Drive[];
  let first: Drive;
  let method: ErasureMethod;
  beforeEach(async () => {
    at = await open();
    await switchOn();
    list = await at.run(at.server.drives.list());
    const [drive] = list;
    const best = drive && strongest(drive);
    if (!drive || !best) throw new Error("the first drive cannot be erased");
    first = drive;
    method = best;
  });
  /** Asks for the strongest erasure of the first drive, or for another. */
  const erase = (drive = first, by = method) => at.server.drives.erase(drive.id, by);
  /** How an erasure ends; what waits for the server's start is given one. */
  const end = async (task: string) => {
    for (let left = 40; left > 0; left -= 1) {
      const { state, message } = (await observe(task)).task ?? {};
      if (state === "staged") await insisting(() => at.server.powerCycle());
      else if (state !== "pending") return { state, message };
      await at.pass(seconds(30));
    }
    throw new Error("the erasure does not end");
  };

  it("are told of, each with the ways to erase it, the strongest first", async () => {
    expect(list.map(({ id: _, ...drive }) => drive)).toEqual(at.drives);
    expect(await at.run(at.server.hardware())).toEqual(at.hardware);
  });

  it("are erased one by one", async () => {
    const task = await at.run(erase());
    const { state } = (await observe(task)).task ?? {};
    expect(state).toBe(at.beginsAtStart ? "staged" : "pending");
    expect(at.written(first.serial)).toBe("tenant-1");
    expect(await end(task)).toMatchObject({ state: "done" });
    expect(at.written(first.serial)).toBeUndefined();
    for (const other of list.slice(1)) expect(at.written(other.serial)).toBe("tenant-1");
    expect((await at.run(at.server.drives.list()))[0]).not.toHaveProperty("erasing");
  });

  it("are erased once when they are asked for twice", async () => {
    const task = await at.run(erase());
    const again = erase();
    if (at.namesTasks) expect(await at.run(again)).toBe(task);
    else expect(await failure(again)).toMatchObject({ kind: "Unavailable" });
    expect(await end(task)).toMatchObject({ state: "done" });
  });

  it("are erased in no way that they do not offer", async () => {
    expect(list.at(-1)).toMatchObject({ methods: [] });
    for (const drive of [list.at(-1), first]) {
      expect(await failure(erase(drive, "overwrite"))).toMatchObject({ kind: "Rejected" });
      expect(at.written(drive?.serial)).toBe("tenant-1");
    }
  });

  it("that refuse are not erased", async () => {
    at.setFault(first.serial, "refuses");
    expect(await failure(erase())).toMatchObject({ kind: "Rejected" });
    expect(at.written(first.serial)).toBe("tenant-1");
  });

  it("whose erasure fails are erased when that works again", async () => {
    at.setFault(first.serial, "fails");
    const task = await at.run(erase());
    expect(await end(task)).toMatchObject({
      state: "failed",
      message: expect.stringMatching(/\S/),
    });
    expect(at.written(first.serial)).toBe("tenant-1");
    at.setFault(first.serial, "none");
    expect(await end(await at.run(erase()))).toMatchObject({ state: "done" });
    expect(at.written(first.serial)).toBeUndefined();
  });

  it("can be said to be erased when they are not", async () => {
    at.setFault(first.serial, "lies");
    const task = await at.run(erase());
    expect(await end(task)).toMatchObject({ state: "done" });
    expect(at.written(first.serial)).toBe("tenant-1");
  });

  it("are erased though the answer is lost", async () => {
    at.faults.add({ target: "bmc", operation: "POST /redfish", fault: "crash_after" });
    expect(await failure(erase())).toMatchObject({ kind: "Unavailable" });
    if (at.beginsAtStart) await insisting(() => at.server.powerCycle());
    await at.pass(minutes(10));
    expect(await end(await at.run(erase()))).toMatchObject({ state: "done" });
    expect(at.written(first.serial)).toBeUndefined();
  });
}
