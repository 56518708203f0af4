import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { parseAddress } from "../../../../../core/ports/bare-metal/redfish/address.ts";
import { type VendorName, vendorNames } from "../../../../../sim/bmc/profiles.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { bareMetalContract } from "../contract.ts";
import { drivesContract } from "../drives-contract.ts";
import { firmwareContract } from "../firmware-contract.ts";
import { answering, redfishFixture } from "./fixture.ts";

describe.each(vendorNames)("a server of %s by Redfish", (vendor) => {
  bareMetalContract(() => redfishFixture(vendor));
  describe("its drives", () => drivesContract(() => redfishFixture(vendor)));
  describe("its firmware", () => firmwareContract(() => redfishFixture(vendor)));
});

const image = "https://images.test/discovery.iso";
const changes = ({ network }: ReturnType<typeof redfishFixture>) =>
  network.asked.filter(({ method }) => method !== "GET");

describe("what each vendor's controller is sent", () => {
  it.each<[VendorName, string, object]>([
    ["dell", "/redfish/v1/Systems/System.Embedded.1/Settings", { BootSourceOverrideTarget: "Cd" }],
    ["hpe", "/redfish/v1/Systems/1/", { BootSourceOverrideTarget: "Cd" }],
    ["supermicro", "/redfish/v1/Systems/1", { BootSourceOverrideTarget: "UsbCd" }],
    ["lenovo", "/redfish/v1/Systems/1/Pending", { BootSourceOverrideTarget: "Cd" }],
  ])("%s: a boot from the virtual drive", async (vendor, path, boot) => {
    const at = redfishFixture(vendor);
    await at.run(at.server.bootOnce({ from: "media" }));
    expect(changes(at).at(-1)).toMatchObject({
      method: "PATCH",
      path,
      body: { Boot: { ...boot, BootSourceOverrideEnabled: "Once" } },
    });
  });

  it.each<[VendorName, string, string, object]>([
    [
      "dell",
      "POST",
      "/redfish/v1/Systems/System.Embedded.1/VirtualMedia/1/Actions/VirtualMedia.InsertMedia",
      { Image: image },
    ],
    [
      "hpe",
      "POST",
      "/redfish/v1/Managers/1/VirtualMedia/2/Actions/VirtualMedia.InsertMedia/",
      { Image: image },
    ],
    [
      "supermicro",
      "POST",
      "/redfish/v1/Managers/1/VirtualMedia/VirtualMedia1/Actions/VirtualMedia.InsertMedia",
      { Image: image },
    ],
    [
      "lenovo",
      "PATCH",
      "/redfish/v1/Managers/1/VirtualMedia/EXT1",
      { Image: image, Inserted: true, WriteProtected: true },
    ],
  ])("%s: an image", async (vendor, method, path, body) => {
    const at = redfishFixture(vendor);
    await at.run(at.server.insertMedia(image));
    expect(changes(at)).toMatchObject([{ method, path, body }]);
  });

  it("names again what is so already to Supermicro's alone", async () => {
    const sent = async (vendor: VendorName) => {
      const at = redfishFixture(vendor);
      await at.run(at.server.bootOnce({ from: "network" }));
      await at.pass(minutes(1));
      await at.run(at.server.bootOnce({ from: "disk" }));
      return changes(at).at(-1)?.body;
    };
    expect(await sent("supermicro")).toEqual({
      Boot: { BootSourceOverrideTarget: "Hdd", BootSourceOverrideEnabled: "Once" },
    });
    expect(await sent("hpe")).toEqual({ Boot: { BootSourceOverrideTarget: "Hdd" } });
  });

  it("tries a tag as it was received, then as a strong one", async () => {
    const at = redfishFixture("lenovo");
    await at.run(at.server.bootOnce({ from: "network" }));
    const tags = changes(at).map(({ headers }) => headers["if-match"]);
    expect(tags).toEqual([expect.stringMatching(/^W\/"/), expect.stringMatching(/^"/)]);
  });

  it("accepts compression where a controller insists on it", async () => {
    const at = redfishFixture("hpe");
    await at.run(at.server.observe());
    await at.run(at.server.observe());
    const refusing = at.network.asked.filter(({ headers }) => headers["accept-encoding"]);
    expect(refusing).toHaveLength(1);
  });
});

describe("a session", () => {
  const session = (vendor: VendorName) => {
    const at = redfishFixture(vendor);
    return { ...at, server: at.adapter({ authentication: "session" }) };
  };
  const logins = ({ network }: ReturnType<typeof redfishFixture>) =>
    network.calls.filter((call) => call === "POST /redfish/v1/SessionService/Sessions");

  it("is opened once, and no request after it carries the password", async () => {
    const at = session("dell");
    await at.run(Promise.all([at.server.observe(), at.server.identify(), at.server.powerOn()]));
    expect(logins(at)).toHaveLength(1);
    // The root says where sessions are opened; anybody may read it.
    const [root, , ...rest] = at.network.asked;
    expect(root).toMatchObject({ method: "GET", path: "/redfish/v1/" });
    expect(root?.headers).not.toHaveProperty("authorization");
    for (const { headers } of rest) {
      expect(headers).toHaveProperty("x-auth-token");
      expect(headers).not.toHaveProperty("authorization");
    }
  });

  it("is opened again when it has run out", async () => {
    const at = session("supermicro");
    await at.run(at.server.powerOn());
    await at.pass(minutes(6));
    expect(await at.run(at.server.observe())).toMatchObject({ power: "on" });
    expect(logins(at)).toHaveLength(2);
  });

  it("is ended when nobody needs it, so that others find room", async () => {
    const at = session("lenovo");
    for (let turn = 0; turn < 6; turn += 1) {
      const server = at.adapter({ authentication: "session" });
      await at.run(server.observe());
      expect(at.sim.sessions(at.id)).toBe(1);
      await at.run(server.close());
      expect(at.sim.sessions(at.id)).toBe(0);
    }
    await at.run(at.server.close());
  });

  it.each([
    ["a name of the controller's own", "https://bmc-17.oob.example.com/redfish/v1/Sessions/7"],
    ["another scheme and port", "http://bmc.test:8443/redfish/v1/Sessions/7"],
    ["the address within", "https://[fd00::17]/redfish/v1/Sessions/7"],
    ["nothing but the path", "/redfish/v1/Sessions/7"],
  ])("is ended where its link says %s", async (_, location) => {
    const { run, adapter, network, hosts } = answering((method, path) =>
      method === "POST" && path.endsWith("/Sessions")
        ? Response.json({}, { status: 201, headers: { location, "x-auth-token": "t" } })
        : method === "DELETE"
          ? {}
          : { "@odata.id": path },
    );
    const server = adapter({ authentication: "session" });
    await run(server.firmware.versions());
    await run(server.close());
    expect(network.calls.at(-1)).toBe("DELETE /redfish/v1/Sessions/7");
    // Whoever else is meant by that name gets no token.
    expect([...hosts]).toEqual(["bmc.test"]);
  });

  it("waits where the controller has no room for one", async () => {
    const at = session("lenovo");
    const many = Array.from({ length: 4 }, () => at.adapter({ authentication: "session" }));
    for (const server of many) await at.run(server.observe());
    await expect(at.run(at.server.observe())).rejects.toMatchObject({ kind: "Unavailable" });
    await at.run(many[0]?.close() ?? Promise.resolve());
    expect(await at.run(at.server.observe())).toMatchObject({ power: "off" });
  });
});

describe("a controller's task", () => {
  it("is awaited, and forgotten in the end", async () => {
    const at = redfishFixture("dell");
    const task = await at.run(at.server.bootOnce({ from: "network" }));
    expect(task).toMatch(/^\/redfish\/v1\/TaskService\//);
    // The first seconds of a task, its controller does not know it.
    expect(await at.run(at.server.observe(task))).toMatchObject({ task: { state: "gone" } });
    await at.pass(5000);
    const running = await at.run(at.server.observe(task));
    expect(running).toMatchObject({ task: { state: "pending" } });
    expect(running).not.toHaveProperty("nextBoot");
    await at.pass(10_000);
    expect(await at.run(at.server.observe(task))).toMatchObject({
      task: { state: "done" },
      nextBoot: { from: "network", isOnce: true },
    });
    await at.pass(minutes(20));
    expect(await at.run(at.server.observe(task))).toMatchObject({ task: { state: "gone" } });
  });

  it("that fails says why, and has changed nothing", async () => {
    const at = redfishFixture("dell");
    at.sim.failNextTask(at.id, "The lifecycle controller is in use.");
    const task = await at.run(at.server.bootOnce({ from: "network" }));
    await at.pass(minutes(1));
    const seen = await at.run(at.server.observe(task));
    expect(seen.task).toEqual({
      state: "failed",
      message: expect.stringContaining("The lifecycle controller is in use."),
    });
    expect(seen).not.toHaveProperty("nextBoot");
  });
});

describe("a controller of another kind", () => {
  const insertion = "Actions/VirtualMedia.InsertMedia";

  it("gets the parameters that it says are missing, one after the other", async () => {
    const missing = (about: string) => ({
      status: 400,
      error: {
        "@Message.ExtendedInfo": [
          { MessageId: "Base.1.5.ActionParameterMissing", RelatedProperties: [`#/${about}`] },
        ],
      },
    });
    const { server, network, run } = answering((_, path, body) => {
      if (!path.endsWith(insertion)) return undefined;
      const has = (name: string) => name in (body as object);
      if (!has("TransferProtocolType")) return missing("TransferProtocolType");
      return has("TransferMethod") ? { status: 200 } : missing("TransferMethod");
    });
    await run(server.insertMedia(image));
    expect(
      network.asked.filter(({ path }) => path.endsWith(insertion)).map(({ body }) => body),
    ).toEqual([
      { Image: image },
      { Image: image, TransferProtocolType: "HTTPS" },
      { Image: image, TransferProtocolType: "HTTPS", TransferMethod: "Stream" },
    ]);
  });

  it("is asked no more when it says again what it has got", async () => {
    const { server, network, run } = answering((_, path) =>
      path.endsWith(insertion)
        ? {
            status: 400,
            error: {
              "@Message.ExtendedInfo": {
                MessageID: "Base.1.5.ActionParameterMissing",
                Message: "TransferMethod is missing",
              },
            },
          }
        : undefined,
    );
    await expect(run(server.insertMedia(image))).rejects.toMatchObject({
      kind: "Rejected",
      message: "the server's controller refuses: TransferMethod is missing",
    });
    // Two drives, each twice.
    expect(network.asked.filter(({ path }) => path.endsWith(insertion))).toHaveLength(4);
  });

  it("must be told which of its systems the server is, if it has several", async () => {
    const { server, run } = answering((_, path) =>
      path === "/redfish/v1/Systems"
        ? {
            Members: [
              { "@odata.id": "/redfish/v1/Systems/1" },
              { "@odata.id": "/redfish/v1/Systems/2" },
            ],
          }
        : undefined,
    );
    await expect(run(server.observe())).rejects.toMatchObject({
      kind: "Rejected",
      message: "the server's controller has 2 systems: its address must name one",
    });
  });

  it("is refused nothing when what it refuses is so already", async () => {
    let isOn = false;
    const { server, run } = answering((_, path) => {
      if (path.endsWith("ComputerSystem.Reset")) {
        isOn = true;
        return { status: 400, error: { message: "already" } };
      }
      if (!path.endsWith("System.Embedded.1")) return undefined;
      const target = `${path}/Actions/ComputerSystem.Reset`;
      return {
        "@odata.id": path,
        PowerState: isOn ? "On" : "Off",
        Actions: { "#ComputerSystem.Reset": { target } },
      };
    });
    await expect(run(server.powerOn())).resolves.toBeUndefined();
  });
});

describe("the address of a controller", () => {
  it.each([
    ["redfish://10.1.0.1/redfish/v1/Systems/1", "https://10.1.0.1", "/redfish/v1/Systems/1"],
    [
      "redfish-virtualmedia://10.1.0.1:8443/redfish/v1/Systems/a/",
      "https://10.1.0.1:8443",
      "/redfish/v1/Systems/a",
    ],
    [
      "idrac-redfish+http://bmc.test/redfish/v1/Systems/1",
      "http://bmc.test",
      "/redfish/v1/Systems/1",
    ],
    ["https://bmc.test/redfish/v1/", "https://bmc.test", undefined],
    ["redfish://[2001:db8::1]", "https://[2001:db8::1]", undefined],
  ])("%s", (address, url, system) => {
    expect(parseAddress(address)).toEqual({ url, ...(system && { system }) });
  });

  it.each(["ipmi://10.1.0.1", "10.1.0.1", "redfish:", "redfish+ftp://10.1.0.1"])(
    "is not %s",
    (address) => {
      expect(() => parseAddress(address)).toThrow("must be the address of a Redfish controller");
    },
  );
});

describe("a simulated server", () => {
  it("is as it was when its world is opened again", async () => {
    const at = redfishFixture("hpe");
    await at.run(at.server.powerOn());
    const { SimulatedBmcs } = await import("../../../../../sim/bmc/bmcs.ts");
    const clock = new VirtualClock(at.clock.now() + minutes(10));
    const again = new SimulatedBmcs({
      database: at.database,
      clock,
      wall: clock,
      faults: at.faults,
    });
    expect(again.machines.get(at.id)).toMatchObject({ power: "On", booted: { from: "disk" } });
  });
});
