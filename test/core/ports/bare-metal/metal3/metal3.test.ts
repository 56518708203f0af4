import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { loadSchemas, violations } from "../../../../support/structural-schema.ts";
import { bareMetalContract } from "../contract.ts";
import { metal3Fixture } from "./fixture.ts";

describe("a server by Metal3", () => {
  bareMetalContract(metal3Fixture);
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
      { spec: { image: { url: image, format: "live-iso" } } },
      { spec: { online: true } },
      { metadata: { annotations: { "reboot.metal3.io": '{"mode":"hard"}' } } },
      { spec: { online: false } },
      { spec: { online: true } },
      { spec: { image: null } },
    ]);
    expect(at.object()?.metadata.annotations ?? {}).toEqual({});
  });

  const crds = loadSchemas(process.env.CRD_DIR ?? "");
  if (crds.size === 0) console.log("skipped: CRD_DIR names no folder of CRDs");
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
    const task = await at.run(at.server.insertMedia(image));
    expect(await at.run(at.server.observe(task))).toMatchObject({ task: { state: "pending" } });
    await at.pass(minutes(3));
    expect(await at.run(at.server.observe(task))).toMatchObject({
      media: image,
      task: { state: "done" },
    });
  });

  it("says what its operator fails at", async () => {
    const at = await metal3Fixture();
    const task = await at.run(at.server.powerOn());
    at.cluster.patchStatus("BareMetalHost", "servers", "rack-1-01", (status) => ({
      ...status,
      operationalStatus: "error",
      errorMessage: "power on failed: the BMC does not answer",
    }));
    expect((await at.run(at.server.observe(task))).task).toEqual({
      state: "failed",
      message: "Metal3 has failed: power on failed: the BMC does not answer",
    });
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
