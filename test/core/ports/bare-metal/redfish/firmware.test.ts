import { describe, expect, it } from "vitest";
import type { VendorName } from "../../../../../sim/bmc/profiles.ts";
import { answering, redfishFixture } from "./fixture.ts";

const image = "https://images.test/bios-2.1.bin";

describe("to update firmware, each vendor's controller is sent", () => {
  it.each<[VendorName, object]>([
    ["dell", { ImageURI: image, TransferProtocol: "HTTPS" }],
    ["hpe", { ImageURI: image }],
    [
      "supermicro",
      { ImageURI: image, TransferProtocol: "HTTPS", Targets: ["/redfish/v1/Systems/1"] },
    ],
    ["lenovo", { ImageURI: image }],
  ])("%s: %j", async (vendor, body) => {
    const { run, server, network } = redfishFixture(vendor);
    await run(server.firmware.update("bios", image));
    expect(network.asked.filter(({ method }) => method === "POST")).toMatchObject([{ body }]);
  });
});

describe("an update", () => {
  it("is refused where the controller fetches images in other ways", async () => {
    const { server, run } = answering((method, path) =>
      method === "GET" && path.endsWith("/UpdateService")
        ? {
            Actions: {
              "#UpdateService.SimpleUpdate": {
                target: "/update",
                "TransferProtocol@Redfish.AllowableValues": ["NFS", "CIFS"],
              },
            },
          }
        : undefined,
    );
    await expect(run(server.firmware.update("bios", image))).rejects.toMatchObject({
      kind: "Rejected",
      message: "the server's controller fetches images by NFS, CIFS, not by HTTPS",
    });
  });

  it("is refused where the controller has no such action", async () => {
    const { server, run } = answering((method, path) =>
      method === "GET" && path.endsWith("/UpdateService") ? { Id: "UpdateService" } : undefined,
    );
    await expect(run(server.firmware.update("bios", image))).rejects.toMatchObject({
      kind: "Rejected",
      message: "the server's controller fetches no image to update firmware",
    });
  });

  it("says what it is for where a controller misses that, and only there", async () => {
    const sent: unknown[] = [];
    const { server, run } = answering((method, path, body) => {
      if (method !== "POST" || !path.endsWith("SimpleUpdate")) return undefined;
      sent.push(body);
      const message = "Missing ImageURI and/or Targets.";
      return sent.length > 1
        ? {}
        : { status: 400, error: { code: "Base.1.0.GeneralError", message } };
    });
    await run(server.firmware.update("bios", image));
    const asked = { ImageURI: image, TransferProtocol: "HTTPS" };
    const Targets = ["/redfish/v1/Systems/System.Embedded.1"];
    expect(sent).toEqual([asked, { ...asked, Targets }]);
  });

  it.each(["links foreign", "tasks untold"])(
    "is done at the end of its task where a controller has %s, and not before",
    async (lie) => {
      const { run, server, pass, faults, network } = redfishFixture("lenovo");
      faults.add({ target: "bmc", operation: lie, fault: "hold", count: 0 });
      const task = await run(server.firmware.update("bios", image));
      expect(task).toMatch(/^\/redfish\/v1\/TaskService\//);
      // It is looked for where its answer names none.
      expect(network.calls.at(-1)?.includes("/TaskService/Tasks/")).toBe(lie === "tasks untold");
      expect((await run(server.observe(task))).task).toMatchObject({ state: "pending" });
      await pass(600_000);
      expect((await run(server.observe(task))).task).toMatchObject({ state: "done" });
    },
  );

  it("of an image that is for another system fails", async () => {
    const { run, server, pass } = redfishFixture("lenovo");
    const task = await run(server.firmware.update("bios", "https://images.test/other.bin"));
    await pass(600_000);
    expect((await run(server.observe(task))).task).toMatchObject({
      state: "failed",
      message: expect.stringContaining("not one for this system"),
    });
  });
});
