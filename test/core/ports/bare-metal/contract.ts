import { beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { strongest } from "../../../../core/ports/bare-metal/erasure.ts";
import type {
  BareMetalServer,
  BootSource,
  Drive,
  ServerHardware,
} from "../../../../core/ports/bare-metal/server.ts";
import type { DriveFault } from "../../../../sim/bmc/hardware.ts";
import type { Booted } from "../../../../sim/bmc/machine.ts";
import type { Faults } from "../../../../sim/faults.ts";

/** A simulated server that a test has for itself; it is switched off, and its disk can be booted. */
export interface BareMetalFixture {
  server: BareMetalServer;
  /** The same server, asked with wrong credentials. */
  stranger: BareMetalServer;
  faults: Faults;
  /** The method and path of what changes the power. */
  power: string;
  /** Never to be seen in an error. */
  secrets: string[];
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Lets simulated time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
  /** What the server has booted since it was last switched on. */
  booted(): Booted | undefined;
  /** How often the server was switched on. */
  starts(): number;
  macs: string[];
  /** What it can be told to boot from. */
  sources: BootSource["from"][];
  /** Whether a boot from the virtual drive is one boot alone, and not each while an image is in the drive. */
  bootsOnce: boolean;
  /** Its drives, where the service erases them one by one. */
  drives?: DrivesFixture;
  /** The URL by which the drive's image is known: that of a copy, where the service makes one. */
  shown(image: string): string;
}

/** The first drive of a simulated server can be erased, its last cannot; each has been written on. */
export interface DrivesFixture {
  /** As they are told of. */
  told: Omit<Drive, "id">[];
  hardware: ServerHardware;
  /** Who wrote last on the drive with this serial number; undefined when it is blank. */
  written(serial: string): string | undefined;
  /** Has this go wrong when the drive is to be erased. */
  setFault(serial: string, fault: DriveFault | "none"): void;
  /** Whether an erasure waits for the server's next start. */
  beginsAtStart: boolean;
  /** Whether an erasure that goes on can be told from others by its task. */
  namesTasks: boolean;
}

const image = "https://images.test/discovery.iso";
const other = "https://images.test/other.iso";
/** Longer than any of the simulated servers takes to start. */
const start = minutes(4);

export function bareMetalContract(open: () => BareMetalFixture | Promise<BareMetalFixture>): void {
  let at: BareMetalFixture;
  const observe = async (task?: string) => {
    for (let left = 20; ; left -= 1) {
      try {
        return await at.run(at.server.observe(task));
      } catch (error) {
        if (!(error instanceof AppError && error.retryable) || left === 0) throw error;
        await at.pass(2000);
      }
    }
  };
  const failure = async (call: Promise<unknown>): Promise<AppError> => {
    const thrown = await at.run(call.catch((error: unknown) => error));
    if (thrown instanceof AppError) return thrown;
    throw new Error(`no AppError: ${String(thrown)}`);
  };
  /** Asks again as a step does while the controller says that it cannot now. */
  const insisting = async (call: () => Promise<string | undefined>): Promise<void> => {
    for (let left = 20; ; left -= 1) {
      try {
        const task = await at.run(call());
        if (task !== undefined) await ended(task);
        return;
      } catch (error) {
        if (!(error instanceof AppError && error.retryable) || left === 0) throw error;
        await at.pass(10_000);
      }
    }
  };
  const ended = async (task: string): Promise<void> => {
    for (let left = 20; left > 0; left -= 1) {
      const { state } = (await observe(task)).task ?? {};
      if (state === "done") return;
      if (state === "failed") throw new Error("the task has failed");
      await at.pass(5000);
    }
    throw new Error("the task does not end");
  };
  const switchOn = async () => {
    await insisting(() => at.server.powerOn());
    await at.pass(start);
  };
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

  describe("its drives", () => {
    /** Those of a server that runs, where the service has them. */
    const ofServer = async () => {
      const { drives } = at.server;
      if (!drives || !at.drives) return undefined;
      await switchOn();
      const list = await at.run(drives.list());
      const [first] = list;
      const last = list.at(-1);
      if (!first || !last) throw new Error("the server has no drives");
      const method = strongest(first);
      if (!method) throw new Error("the first drive cannot be erased");
      return { ...at.drives, drives, list, first, last, method };
    };
    const serialOf = ({ serial }: Drive) => serial ?? "";
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
      const of = await ofServer();
      if (!of) return;
      expect(of.list.map(({ id: _, ...drive }) => drive)).toEqual(of.told);
      expect(await at.run(at.server.hardware?.() ?? Promise.reject())).toEqual(of.hardware);
    });

    it("are erased one by one", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, list, method, written } = of;
      const task = await at.run(drives.erase(first.id, method));
      const { state } = (await observe(task)).task ?? {};
      expect(state).toBe(of.beginsAtStart ? "staged" : "pending");
      expect(written(serialOf(first))).toBe("tenant-1");
      expect(await end(task)).toMatchObject({ state: "done" });
      expect(written(serialOf(first))).toBeUndefined();
      for (const other of list.slice(1)) expect(written(serialOf(other))).toBe("tenant-1");
      expect((await at.run(drives.list()))[0]).not.toHaveProperty("erasing");
    });

    it("are erased once when they are asked for twice", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, method } = of;
      const task = await at.run(drives.erase(first.id, method));
      const again = drives.erase(first.id, method);
      if (of.namesTasks) expect(await at.run(again)).toBe(task);
      else expect(await failure(again)).toMatchObject({ kind: "Unavailable" });
      expect(await end(task)).toMatchObject({ state: "done" });
    });

    it("are erased in no way that they do not offer", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, last, written } = of;
      expect(last.methods).toEqual([]);
      for (const [drive, method] of [[last, "overwrite"] as const, [first, "overwrite"] as const]) {
        const error = await failure(drives.erase(drive.id, method));
        expect(error).toMatchObject({ kind: "Rejected" });
        expect(written(serialOf(drive))).toBe("tenant-1");
      }
    });

    it("that refuse are not erased", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, method, setFault, written } = of;
      setFault(serialOf(first), "refuses");
      expect(await failure(drives.erase(first.id, method))).toMatchObject({ kind: "Rejected" });
      expect(written(serialOf(first))).toBe("tenant-1");
    });

    it("whose erasure fails are erased when that works again", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, method, setFault, written } = of;
      setFault(serialOf(first), "fails");
      const task = await at.run(drives.erase(first.id, method));
      expect(await end(task)).toMatchObject({
        state: "failed",
        message: expect.stringMatching(/\S/),
      });
      expect(written(serialOf(first))).toBe("tenant-1");
      setFault(serialOf(first), "none");
      expect(await end(await at.run(drives.erase(first.id, method)))).toMatchObject({
        state: "done",
      });
      expect(written(serialOf(first))).toBeUndefined();
    });

    it("can be said to be erased when they are not", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, method, setFault, written } = of;
      setFault(serialOf(first), "lies");
      const task = await at.run(drives.erase(first.id, method));
      expect(await end(task)).toMatchObject({ state: "done" });
      expect(written(serialOf(first))).toBe("tenant-1");
    });

    it("are erased though the answer is lost", async () => {
      const of = await ofServer();
      if (!of) return;
      const { drives, first, method, written } = of;
      at.faults.add({ target: "bmc", operation: "POST /redfish", fault: "crash_after" });
      expect(await failure(drives.erase(first.id, method))).toMatchObject({ kind: "Unavailable" });
      if (of.beginsAtStart) await insisting(() => at.server.powerCycle());
      await at.pass(minutes(10));
      expect(await end(await at.run(drives.erase(first.id, method)))).toMatchObject({
        state: "done",
      });
      expect(written(serialOf(first))).toBeUndefined();
    });
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
