import { describe, expect, it } from "vitest";
import * as z from "zod";
import { minutes, seconds } from "../../../../../core/clock.ts";
import { loadSchemas, violations } from "../../../../support/structural-schema.ts";
import { bareMetalContract } from "../contract.ts";
import { drivesContract } from "../drives-contract.ts";
import { detachedFixture, metal3Fixture } from "./fixture.ts";

describe("a server by Metal3", () => {
  bareMetalContract(metal3Fixture);
});

describe("a server by Metal3 whose controller Slipway reaches too", () => {
  bareMetalContract(() => metal3Fixture({ isReached: true }));
});

describe("the drives of a server that Metal3 has let go of", () => {
  drivesContract(detachedFixture);
});

const image = "https://images.test/discovery.iso";

describe("Metal3's BareMetalHost", () => {
  it("gets these changes and no others", async () => {
    const at = await metal3Fixture();
    const calls: (() => Promise<unknown>)[] = [
      () => at.server.insertMedia(image),
      () => at.server.insertMedia(image),
      () => at.server.powerOn(),
      () => at.server.powerOn(),
      () => at.server.powerCycle(),
      () => at.server.powerOff("forced"),
      () => at.server.powerCycle(),
      () => at.server.ejectMedia(),
    ];
    for (const call of calls) {
      await at.run(call());
      await at.pass(minutes(5));
    }
    expect(at.sent.map(({ body }) => body)).toMatchObject([
      {
        spec: {
          image: { url: image, format: "live-iso" },
          consumerRef: { apiVersion: "slipway.dev/v1", kind: "Host", name: "host-1" },
          automatedCleaningMode: "disabled",
        },
      },
      { spec: { online: true } },
      { metadata: { annotations: { "reboot.metal3.io": '{"mode":"hard","force":true}' } } },
      { spec: { online: false } },
      { spec: { online: true } },
      { spec: { image: null } },
    ]);
    expect(at.object()?.metadata.annotations ?? {}).toEqual({});
  });

  it("is restarted although it runs from its disk, without an image", async () => {
    const at = await metal3Fixture();
    await at.run(at.server.powerOn());
    await at.pass(minutes(5));
    const power: boolean[] = [];
    const statusSchema = z.object({ poweredOn: z.boolean() });
    at.cluster.watch("BareMetalHost", ({ object }) => {
      const { poweredOn } = statusSchema.parse(object.status);
      if (power.at(-1) !== poweredOn) power.push(poweredOn);
    });
    const task = await at.run(at.server.powerCycle());
    await at.pass(minutes(5));
    expect(await at.run(at.server.observe(task))).toMatchObject({
      ...{ power: "on", task: { state: "done" } },
    });
    expect(power).toEqual([true, false, true]);
  });

  const crds = loadSchemas();
  if (crds.size === 0) console.log("skipped: CRD_DIR is not set");
  it.skipIf(crds.size === 0)(
    "is as its definition wants it, with what its operator writes too",
    async () => {
      const schema = crds.get("metal3.io/v1alpha1/BareMetalHost");
      const at = await metal3Fixture();
      const found: string[] = [];
      const calls = [() => at.server.insertMedia(image), () => at.server.powerOn()];
      for (const call of calls) {
        await at.run(call());
        found.push(...(schema ? violations(schema, at.object()) : ["there is no definition"]));
        await at.pass(minutes(5));
        found.push(...(schema ? violations(schema, at.object()) : []));
      }
      expect(found).toEqual([]);
    },
  );

  it("is pending until its operator has done what it asks for", async () => {
    const at = await metal3Fixture();
    await at.run(at.server.insertMedia(image));
    const task = await at.run(at.server.powerOn());
    expect(await at.run(at.server.observe(task))).toMatchObject({
      media: image,
      power: "turning_on",
      task: { state: "pending" },
    });
    await at.pass(minutes(5));
    expect(await at.run(at.server.observe(task))).toMatchObject({
      media: image,
      power: "on",
      task: { state: "done" },
    });
  });

  it("is asked again while its operator fails, which tries again by itself", async () => {
    const at = await metal3Fixture();
    at.faults.add({
      target: "bmc",
      operation: "metal3 registration error",
      fault: "hold",
      count: 0,
    });
    await at.pass(minutes(1));
    await expect(at.run(at.server.observe())).rejects.toMatchObject({
      kind: "Unavailable",
      message: expect.stringMatching(
        /^Metal3 has failed \(registration error, \d times\): the BMC does not answer$/,
      ),
    });
    at.faults.clear();
    await at.pass(minutes(1));
    expect(await at.run(at.server.observe())).toMatchObject({ power: "off" });
  });

  it("says that it is paused, and is as it was told to be once nobody does", async () => {
    const at = await metal3Fixture();
    const paused = { "baremetalhost.metal3.io/paused": "" };
    await at.run(at.server.insertMedia(image));
    at.change({}, paused);
    const calls: (() => Promise<unknown>)[] = [
      () => at.server.observe(),
      () => at.server.powerOn(),
    ];
    for (const call of calls)
      await expect(at.run(call())).rejects.toMatchObject({
        kind: "Unavailable",
        message:
          "Metal3 does nothing for the BareMetalHost servers/rack-1-01: it is paused (annotation baremetalhost.metal3.io/paused)",
      });
    at.change({ online: true }, paused);
    await at.pass(minutes(5));
    expect(at.object()?.status).toMatchObject({ provisioning: { state: "available" } });
    at.change({});
    await at.pass(minutes(5));
    expect(await at.run(at.server.observe())).toMatchObject({ power: "on", media: image });
  });

  it("goes on at its controller while it is paused, if its operator is unreachable from it", async () => {
    const at = await detachedFixture();
    at.change({}, { ...at.object()?.metadata.annotations, "baremetalhost.metal3.io/paused": "" });
    expect(await at.run(at.server.observe())).toMatchObject({ power: "off" });
    // Switched off once more it is given back, and nobody takes it.
    await at.run(at.server.powerOff("forced"));
    await expect(at.run(at.server.observe())).rejects.toThrow("it is paused");
  });

  it("is given up once its operator has failed with the image too often", async () => {
    const at = await metal3Fixture();
    const operation = "metal3 provisioning error";
    at.faults.add({ target: "bmc", operation, fault: "hold", count: 0 });
    await at.run(at.server.insertMedia(image));
    await at.run(at.server.powerOn());
    await at.pass(seconds(20));
    await expect(at.run(at.server.observe())).rejects.toMatchObject({ kind: "Unavailable" });
    await at.pass(minutes(5));
    await expect(at.run(at.server.observe())).rejects.toMatchObject({ kind: "Rejected" });
    await at.run(at.server.ejectMedia());
    await at.run(at.server.powerOff("forced"));
    at.faults.clear();
    await at.pass(minutes(3));
    expect(await at.run(at.server.observe())).toEqual({ power: "off" });
  });

  it.each<[object, Record<string, string>, string]>([
    [
      { consumerRef: { kind: "Metal3Machine", namespace: "capm3", name: "worker-0" } },
      {},
      "its consumer is Metal3Machine capm3 worker-0",
    ],
    [{ externallyProvisioned: true }, {}, "it is externally provisioned"],
    [{ image: { url: "https://images.test/os.qcow2" } }, {}, "it names an image"],
    [{ customDeploy: { method: "install_coreos" } }, {}, "it names the deployment install_coreos"],
    [{}, { "baremetalhost.metal3.io/detached": "" }, "it is detached"],
  ])("that somebody else uses is left alone: %j, %j", async (spec, annotations, seen) => {
    const at = await metal3Fixture({ isReached: true });
    at.change(spec, annotations);
    const before = at.object()?.spec;
    const calls: (() => Promise<unknown>)[] = [
      () => at.server.powerOn(),
      () => at.server.insertMedia(image),
      () => at.server.drives.list(),
      () => at.server.observe(),
    ];
    for (const call of calls)
      await expect(at.run(call())).rejects.toMatchObject({
        kind: "Rejected",
        message: `expected the BareMetalHost servers/rack-1-01 to be free; ${seen}`,
      });
    expect(at.object()?.spec).toEqual(before);
    expect(at.sent).toEqual([]);
  });

  it("is one host's until that gives it up, and the operator then switches it off", async () => {
    const at = await metal3Fixture({ isReached: true });
    await at.run(at.server.insertMedia(image));
    await at.run(at.server.powerOn());
    await at.pass(minutes(5));
    for (let left = 3; left > 0; left -= 1) {
      await at.run(at.server.ejectMedia().catch(() => undefined));
      await at.pass(seconds(20));
    }
    const other = at.adapter("the-token", "host-2");
    await expect(at.run(other.powerOn())).rejects.toMatchObject({ kind: "Unavailable" });
    await at.run(at.server.giveUp("another-host"));
    expect(at.object()?.spec).toMatchObject({ consumerRef: { name: "host-1" } });
    await at.run(at.server.giveUp("host-1"));
    await at.run(at.server.giveUp("host-1"));
    await at.pass(minutes(3));
    expect(at.object()?.spec).not.toHaveProperty("consumerRef");
    expect(at.machine()?.power).toBe("Off");
    expect(at.object()?.metadata.annotations).toEqual({});
    await at.run(other.powerOn());
    expect(at.object()?.spec).toMatchObject({ consumerRef: { name: "host-2" } });
  });

  it("erases no drives without the credentials of its controller", async () => {
    const at = await metal3Fixture();
    await expect(at.run(at.server.drives.list())).rejects.toMatchObject({
      kind: "Rejected",
      message: expect.stringMatching(/^Metal3 erases no drives: /),
    });
  });

  it("is back with its operator once it is off, which starts nothing", async () => {
    const at = await detachedFixture();
    await at.run(at.server.powerOn());
    await at.pass(minutes(4));
    const starts = at.starts();
    for (let left = 6; left > 0; left -= 1) {
      await at.run(at.server.powerOff("forced"));
      await at.run(at.server.ejectMedia());
      await at.pass(seconds(30));
    }
    expect(await at.run(at.server.observe())).toEqual({ power: "off" });
    expect(at.object()).toMatchObject({
      metadata: { annotations: {} },
      status: { operationalStatus: "OK", provisioning: { state: "available" } },
    });
    expect(at.starts()).toBe(starts);
  });

  it("has the image taken out while the server runs on", async () => {
    const at = await metal3Fixture({ isReached: true });
    await at.run(at.server.insertMedia(image));
    await at.run(at.server.powerOn());
    await at.pass(minutes(5));
    for (let left = 3; left > 0; left -= 1) {
      await at.run(at.server.ejectMedia().catch(() => undefined));
      await at.pass(seconds(20));
    }
    expect(await at.run(at.server.observe())).not.toHaveProperty("media");
    expect(at.starts()).toBe(1);
    expect(at.machine()?.power).toBe("On");
  });

  it("that is not there is named", async () => {
    const at = await metal3Fixture();
    at.cluster.delete("BareMetalHost", "servers", "rack-1-01");
    await expect(at.run(at.server.powerOn())).rejects.toMatchObject({
      kind: "Rejected",
      message: "the hub has no BareMetalHost servers/rack-1-01",
    });
  });
});
