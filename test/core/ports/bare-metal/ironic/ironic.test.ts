import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { byKeystone } from "../../../../../core/ports/bare-metal/ironic/access.ts";
import { IronicApi } from "../../../../../core/ports/bare-metal/ironic/api.ts";
import { IronicServer } from "../../../../../core/ports/bare-metal/ironic/ironic.ts";
import { Keystone } from "../../../../../core/ports/openstack/keystone.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { bareMetalContract } from "../contract.ts";
import { ironicFixture } from "./fixture.ts";

describe("a server by Ironic", () => {
  bareMetalContract(ironicFixture);
});

const image = "https://images.test/discovery.iso";

describe("Ironic", () => {
  it("gets these requests, each with the version", async () => {
    const at = ironicFixture();
    const calls: (() => Promise<unknown>)[] = [
      () => at.server.insertMedia(image),
      () => at.server.bootOnce({ from: "media" }),
      () => at.server.powerOn(),
      () => at.server.powerOff("graceful"),
      () => at.server.powerCycle(),
      () => at.server.powerOff("forced"),
      () => at.server.ejectMedia(),
    ];
    for (const call of calls) {
      await at.run(call());
      await at.pass(minutes(5));
    }
    const node = "/v1/nodes/rack-1-01";
    const sent = at.network.asked.filter(({ method }) => method !== "GET");
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", `${node}/vmedia`, { device_type: "cdrom", image_url: image }],
      ["PUT", `${node}/management/boot_device`, { boot_device: "cdrom", persistent: false }],
      ["PUT", `${node}/states/power`, { target: "power on" }],
      ["PUT", `${node}/states/power`, { target: "soft power off" }],
      ["PUT", `${node}/states/power`, { target: "rebooting" }],
      ["PUT", `${node}/states/power`, { target: "power off" }],
      ["DELETE", `${node}/vmedia`, undefined],
    ]);
    for (const { headers } of at.network.asked)
      expect(headers["x-openstack-ironic-api-version"]).toBe("1.93");
  });

  it("is waited for while it works on the node", async () => {
    const at = ironicFixture();
    await at.run(at.server.insertMedia(image));
    await expect(at.run(at.server.powerOn())).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the bare metal service cannot do this now (409)",
      detail: expect.stringContaining("is locked by host"),
    });
    await at.pass(minutes(1));
    await at.run(at.server.powerOn());
  });

  it("says why an image was not inserted", async () => {
    const at = ironicFixture();
    at.sim.failNextInsertion("Could not download the image: 404");
    const task = await at.run(at.server.insertMedia(image));
    await at.pass(minutes(1));
    const seen = await at.run(at.server.observe(task));
    expect(seen).toMatchObject({
      task: {
        state: "failed",
        message: "the bare metal service has failed: Could not download the image: 404",
      },
    });
    expect(seen).not.toHaveProperty("media");
    // What it does next begins without the error.
    const next = await at.run(at.server.insertMedia(image));
    await at.pass(minutes(1));
    expect(await at.run(at.server.observe(next))).toMatchObject({ task: { state: "done" } });
  });

  it("of a cloud is found by its catalog, and asked with a new token when one is refused", async () => {
    const clock = new VirtualClock();
    let tokens = 0;
    const used: (string | null)[] = [];
    const fetch = async (url: string, init: { headers: Record<string, string> }) => {
      if (url === "https://cloud.test/v3/auth/tokens") {
        tokens += 1;
        const endpoints = [
          { interface: "public", region_id: "RegionOne", url: "https://cloud.test/baremetal/v1/" },
        ];
        const expires_at = new Date(clock.now() + minutes(60)).toISOString();
        const token = { expires_at, catalog: [{ type: "baremetal", endpoints }] };
        const headers = { "x-subject-token": `token-${tokens}` };
        return Response.json({ token }, { status: 201, headers });
      }
      used.push(init.headers["x-auth-token"] ?? null);
      if (tokens === 1) return Response.json({}, { status: 401 });
      expect(url).toMatch(/^https:\/\/cloud\.test\/baremetal\/v1\//);
      return Response.json(url.includes("/ports") ? { ports: [] } : { ...node });
    };
    const node = {
      uuid: "1",
      power_state: null,
      target_power_state: null,
      last_error: null,
      reservation: null,
      provision_state: "manageable",
      provision_updated_at: null,
    };
    const http = { wall: clock, timeout: 10_000, fetch };
    const keystone = new Keystone({
      ...http,
      system: "the bare metal service",
      service: "baremetal",
      url: "https://cloud.test",
      credential: async () => ({ id: "an-id", secret: "a-secret" }),
    });
    const server = new IronicServer(new IronicApi({ ...http, ...byKeystone(keystone) }), "n1");
    expect(await clock.until(server.identify())).toEqual({ uuid: "1", macs: [] });
    expect(used).toEqual(["token-1", "token-2", "token-2"]);
  });
});
