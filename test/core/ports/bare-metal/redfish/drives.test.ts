import { describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../../../core/clock.ts";
import type { ErasureMethod } from "../../../../../core/ports/bare-metal/erasure.ts";
import type { VendorName } from "../../../../../sim/bmc/profiles.ts";
import { answering, redfishFixture } from "./fixture.ts";

const system = "/redfish/v1/Systems/System.Embedded.1";
const chassis = "/redfish/v1/Chassis/System.Embedded.1";
const at = (path: string) => ({ "@odata.id": path });

describe("to erase a drive, each vendor's controller is sent", () => {
  it.each<[VendorName, ErasureMethod, number, string, object]>([
    ["dell", "cryptographic", 0, `${system}/Storage/DE00A000/Drives/Disk.Bay.0`, {}],
    ["hpe", "unspecified", 0, "/redfish/v1/Chassis/1/Drives/Disk.Bay.0", {}],
    [
      "supermicro",
      "overwrite",
      1,
      "/redfish/v1/Chassis/1/Drives/Disk.Bay.1",
      { SanitizationType: "Overwrite", OverwritePasses: 1 },
    ],
    [
      "lenovo",
      "block",
      0,
      "/redfish/v1/Systems/1/Storage/DE00A000/Drives/Disk.Bay.0",
      { SanitizationType: "BlockErase" },
    ],
  ])("%s: by %s", async (vendor, method, index, path, body) => {
    const { run, server, network, pass } = redfishFixture(vendor);
    await run(server.powerOn());
    await pass(minutes(4));
    const drive = (await run(server.drives.list()))[index];
    await run(server.drives.erase(drive?.id ?? "", method));
    const slash = vendor === "hpe" ? "/" : "";
    expect(network.asked.filter(({ method: sent }) => sent === "POST").at(-1)).toMatchObject({
      path: `${path}/Actions/Drive.SecureErase${slash}`,
      body,
    });
  });
});

describe("an erasure", () => {
  const running = async (vendor: VendorName) => {
    const fixture = redfishFixture(vendor);
    await fixture.run(fixture.server.powerOn());
    await fixture.pass(minutes(4));
    const [drive] = await fixture.run(fixture.server.drives.list());
    if (!drive) throw new Error("the server has no drives");
    return { ...fixture, drive };
  };

  it("shows in the drive, where the controller shows it", async () => {
    const { run, server, drive } = await running("hpe");
    const task = await run(server.drives.erase(drive.id, "unspecified"));
    expect((await run(server.drives.list()))[0]).toMatchObject({ erasing: { percent: 50 } });
    expect((await run(server.observe(task))).task).toEqual({
      state: "pending",
      message: "the drive is being erased (50 %)",
    });
  });

  it("that waits for the server's next start says so", async () => {
    const { run, server, drive, pass } = await running("dell");
    const task = await run(server.drives.erase(drive.id, "cryptographic"));
    await pass(minutes(30));
    expect((await run(server.observe(task))).task).toEqual({
      state: "staged",
      message: "the controller's task is Scheduled (0 %): Task successfully scheduled.",
    });
    await run(server.powerCycle());
    await pass(seconds(15));
    expect((await run(server.observe(task))).task).toMatchObject({ state: "pending" });
  });

  it.each<VendorName>(["supermicro", "lenovo"])(
    "by one method is not taken for one by another (%s)",
    async (vendor) => {
      const { run, server, drive } = await running(vendor);
      await run(server.drives.erase(drive.id, "block"));
      await expect(run(server.drives.erase(drive.id, "cryptographic"))).rejects.toMatchObject({
        kind: "Unavailable",
      });
    },
  );

  it.each<VendorName>(["hpe", "supermicro", "lenovo"])(
    "waits until the controller can reach the drive (%s)",
    async (vendor) => {
      const { run, server } = redfishFixture(vendor);
      const [drive] = await run(server.drives.list());
      const [method = "block"] = drive?.methods ?? [];
      await expect(run(server.drives.erase(drive?.id ?? "", method))).rejects.toMatchObject({
        kind: "Unavailable",
      });
    },
  );
});

describe("a controller of another kind", () => {
  const drive = (path: string, SerialNumber: string, more: object = {}) => ({
    ...at(path),
    Name: SerialNumber,
    SerialNumber,
    ...more,
  });

  it("shows drives in its storage and others in the chassis, and none twice", async () => {
    const { server, run } = answering((_, path) => {
      if (path.endsWith("/Storage/DE00A000")) return { ...at(path), Drives: [at("/drives/a")] };
      if (path === chassis)
        return {
          ...at(path),
          Links: {
            ComputerSystems: [at(`${system}/`)],
            Drives: [at("/drives/a/"), at("/chassis/a"), at("/chassis/b"), at("/chassis/c")],
          },
        };
      const serial = /^\/(?:drives|chassis)\/([abc])\/?$/.exec(path)?.[1];
      const State = serial === "c" ? "Absent" : "Enabled";
      return serial === undefined ? undefined : drive(path, `Z1${serial}`, { Status: { State } });
    });
    const drives = await run(server.drives.list());
    expect(drives.map(({ id }) => id)).toEqual(["/drives/a", "/chassis/b"]);
  });

  it.each(["N/A", "   ", "00000000"])(
    "takes no drive of the chassis for one of the storage by the number '%s', which nobody has entered",
    async (number) => {
      const { server, run } = answering((_, path) => {
        if (path.endsWith("/Storage/DE00A000")) return { ...at(path), Drives: [at("/drives/a")] };
        if (path === chassis)
          return {
            ...at(path),
            Links: { ComputerSystems: [at(system)], Drives: [at("/chassis/a")] },
          };
        return /^\/(drives|chassis)\/a$/.test(path) ? drive(path, number) : undefined;
      });
      const drives = await run(server.drives.list());
      expect(drives.map(({ id }) => id)).toEqual(["/drives/a", "/chassis/a"]);
    },
  );

  it("is not asked for the drives of a chassis that holds other servers", async () => {
    const { server, run } = answering((_, path) => {
      if (path.endsWith("/Storage/DE00A000")) return { ...at(path), Drives: [at("/drives/a")] };
      if (path === chassis)
        return {
          ...at(path),
          Links: {
            ComputerSystems: [at(system), at("/redfish/v1/Systems/another")],
            Drives: [at("/drives/b")],
          },
        };
      return path === "/drives/a" ? drive(path, "a") : undefined;
    });
    expect((await run(server.drives.list())).map(({ serial }) => serial)).toEqual(["a"]);
  });

  it("lists drives by pages", async () => {
    const { server, run } = answering((_, path) => {
      if (path.endsWith("/Storage/DE00A000")) return { ...at(path), Drives: [] };
      if (path === chassis)
        return {
          ...at(path),
          Drives: at(`${chassis}/Drives`),
          Links: { ComputerSystems: [at(system)] },
        };
      if (path === `${chassis}/Drives`)
        return { Members: [at("/drives/a")], "Members@odata.nextLink": "/drives/page2" };
      if (path === "/drives/page2") return { Members: [at("/drives/b")] };
      return path.startsWith("/drives/") ? drive(path, path.slice(-1)) : undefined;
    });
    expect((await run(server.drives.list())).map(({ serial }) => serial)).toEqual(["a", "b"]);
  });

  it("that knows simple storage alone erases nothing", async () => {
    const { server, run } = answering((_, path) => {
      if (path === system) return { ...at(path), SimpleStorage: at("/simple") };
      if (path === "/simple") return { Members: [at("/simple/1")] };
      return path === "/simple/1"
        ? { ...at(path), Devices: [{ Name: "SATA Bay 1", CapacityBytes: 8000 }] }
        : undefined;
    });
    expect(await run(server.drives.list())).toEqual([
      {
        id: "/simple/1#/Devices/0",
        name: "SATA Bay 1",
        media: "unknown",
        bytes: 8000,
        methods: [],
      },
    ]);
  });

  /** How drives can be erased by what they tell of themselves. */
  it.each<[string, object, ErasureMethod[]]>([
    ["encrypts itself, and has no action", { EncryptionAbility: "SelfEncryptingDrive" }, []],
    [
      "encrypts itself, and has an action of which nothing is told",
      {
        EncryptionAbility: "SelfEncryptingDrive",
        Actions: { "#Drive.SecureErase": { target: "/erase" } },
      },
      ["unspecified"],
    ],
    [
      "names methods that we do not know too",
      {
        Actions: {
          "#Drive.SecureErase": {
            target: "/erase",
            "SanitizationType@Redfish.AllowableValues": ["Degauss", "Overwrite", "BlockErase"],
          },
        },
      },
      ["block", "overwrite"],
    ],
    [
      "has a resource beside its action that tells no methods",
      { Actions: { "#Drive.SecureErase": { target: "/erase", "@Redfish.ActionInfo": "/info" } } },
      ["unspecified"],
    ],
    [
      "is an SSD on PCIe that Dell's erases",
      {
        Actions: { "#Drive.SecureErase": { target: "/erase" } },
        Oem: { Dell: { DellPCIeSSD: { SystemEraseCapability: "CryptographicErasePD" } } },
      },
      ["cryptographic"],
    ],
    [
      "is a disk that Dell's can only overwrite, by other means",
      {
        Actions: { "#Drive.SecureErase": { target: "/erase" } },
        Oem: { Dell: { DellPhysicalDisk: { SystemEraseCapability: "OverwritePD" } } },
      },
      [],
    ],
  ])("has a drive that %s", async (_, told, methods) => {
    const { server, run } = answering((__, path) => {
      if (path.endsWith("/Storage/DE00A000")) return { ...at(path), Drives: [at("/drives/a")] };
      if (path === chassis) return at(path);
      if (path === "/info") return { Parameters: [{ Name: "Force", DataType: "Boolean" }] };
      if (path === system)
        return { ...at(path), Manufacturer: "Dell Inc.", Storage: at("/storage") };
      if (path === "/storage") return { Members: [at(`${system}/Storage/DE00A000`)] };
      return path === "/drives/a" ? drive(path, "a", told) : undefined;
    });
    expect(await run(server.drives.list())).toMatchObject([{ methods }]);
  });

  it("answers an erasure asked again with its task, by what the task was made of", async () => {
    const task = (TargetUri: string, TaskState: string) => ({
      TaskState,
      TaskMonitor: `/monitors${TargetUri}`,
      Payload: { TargetUri, JsonBody: "{}" },
    });
    const { server, run } = answering((method, path) => {
      if (path === "/drives/a")
        return drive(path, "a", { Actions: { "#Drive.SecureErase": { target: "/erase" } } });
      if (method === "POST") return { status: 400, error: { message: "busy" } };
      if (path === "/redfish/v1/TaskService/Tasks")
        return { Members: [at("/tasks/1"), at("/tasks/2"), at("/tasks/3")] };
      if (path === "/tasks/1") return task("/erase/", "Completed");
      if (path === "/tasks/2") return task("/other", "Running");
      return path === "/tasks/3" ? task("/erase/", "New") : undefined;
    });
    expect(await run(server.drives.erase("/drives/a", "unspecified"))).toBe("/monitors/erase/");
  });
});

describe("the hardware", () => {
  it("is counted in the processors where the summary says nothing, without empty sockets", async () => {
    const processors = [
      { ProcessorType: "CPU", TotalCores: 32 },
      { ProcessorType: "CPU", TotalCores: 32 },
      { ProcessorType: "CPU", Status: { State: "Absent" } },
      { ProcessorType: "GPU", Model: "H100" },
      { ProcessorType: "GPU", Model: "H100" },
      { ProcessorType: "GPU", Name: "GPU_3" },
      { ProcessorType: "FPGA" },
    ];
    const { server, run } = answering((_, path) => {
      if (path === system) return { ...at(path), Processors: at("/processors") };
      if (path === "/processors")
        return { Members: processors.map((__, n) => at(`/processors/${n}`)) };
      return processors[Number(/^\/processors\/(\d)$/.exec(path)?.[1] ?? "9")];
    });
    expect(await run(server.hardware())).toEqual({
      processors: 2,
      cores: 64,
      gpus: [
        { model: "H100", count: 2 },
        { model: "GPU_3", count: 1 },
      ],
    });
  });

  it("is unknown where the controller counts nothing", async () => {
    const { server, run } = answering((_, path) =>
      path === system
        ? {
            ...at(path),
            ProcessorSummary: { Count: 0 },
            MemorySummary: { TotalSystemMemoryGiB: 0 },
          }
        : undefined,
    );
    expect(await run(server.hardware())).toEqual({});
  });
});

describe("an erasure that was accepted without a task that can be asked", () => {
  const path = "/redfish/v1/Systems/1/Storage/A/Drives/1";
  const secureErase = `${path}/Actions/Drive.SecureErase`;
  /** A drive whose SecureErase is answered so, and which says this of itself at its first and its second look. */
  const accepted = (
    answer: () => Response,
    looks: object[] = [{}],
    more: Record<string, object> = {},
  ) => {
    let look = 0;
    return answering((method, at) => {
      if (method === "POST" && at === secureErase) return answer();
      if (at === path)
        return {
          ...{ "@odata.id": path, Name: "Drive 1" },
          Actions: { "#Drive.SecureErase": { target: secureErase } },
          ...looks[Math.min(look++, looks.length - 1)],
        };
      return more[at] ?? (at === "/redfish/v1/TaskService/Tasks" ? { Members: [] } : undefined);
    });
  };
  const to =
    (location?: string, body: object | null = null, status = 202) =>
    () =>
      new Response(body && JSON.stringify(body), {
        status,
        headers: location === undefined ? {} : { location },
      });
  const found = async ({ server, run }: ReturnType<typeof answering>) => {
    const task = await run(server.drives.erase(path, "unspecified"));
    return { task, seen: (await run(server.observe(task))).task };
  };

  it.each<[string, () => Response]>([
    ["no Location, 202", to()],
    ["no Location, 204", to(undefined, null, 204)],
    ["no Location, 200", to(undefined, {}, 200)],
    ["an empty Location", to("")],
    ["a Location that is a word", to("null")],
    ["a Location that is relative", to("TaskService/Tasks/5")],
    ["a Location that is the root of another host", to("https://xcc.oob.example.com/")],
    ["a Location that is the drive", to(`${path}/`)],
    ["a body that is the drive", to(undefined, { "@odata.id": path })],
  ])("proves nothing: %s", async (_, answer) => {
    const { seen } = await found(accepted(answer));
    expect(seen).toEqual({
      state: "unknown",
      message: `the controller bmc.test has accepted Drive.SecureErase of drive Drive 1 (${path}), names no task for it, and the drive does not show it`,
    });
  });

  it.each<[string, () => Response, string]>([
    ["another authority", to("https://xcc.oob.example.com:8443/t/5?a=b"), "/t/5?a=b"],
    ["another scheme", to("http://bmc.test/t/5"), "/t/5"],
    ["an IPv6 address", to("https://[fe80::1]/t/5"), "/t/5"],
    [
      "the body's task",
      to(undefined, { "@odata.id": "https://other/t/6", TaskState: "New" }),
      "/t/6",
    ],
    ["the body's monitor", to("", { "@odata.id": "/t/6", TaskMonitor: "/m/6" }), "/m/6"],
    ["the body's task, 200", to(undefined, { "@odata.id": "/t/6", TaskState: "New" }, 200), "/t/6"],
  ])("is its task, by %s", async (_, answer, task) => {
    const { server, run, hosts } = accepted(answer);
    expect(await run(server.drives.erase(path, "unspecified"))).toBe(task);
    await run(server.observe(task));
    expect([...hosts]).toEqual(["bmc.test"]);
  });

  it("is the task that began for it, among all tasks", async () => {
    const tasks = {
      "/redfish/v1/TaskService/Tasks": { Members: [at("https://other/t/1"), at("/t/2")] },
      "/t/2": {
        ...{ TaskState: "Running", "@odata.id": "/t/2" },
        Payload: { TargetUri: `https://other${secureErase}`, JsonBody: "{}" },
      },
    };
    expect((await found(accepted(to(), [{}], tasks))).task).toBe("/t/2");
  });

  it("has ended when its drive has shown it, and shows it no more", async () => {
    const shows = { Operations: [{ OperationName: "Sanitize", PercentageComplete: 5 }] };
    // Asked for; read after that; looked at twice.
    const { server, run } = accepted(to(), [{}, {}, shows, {}]);
    const task = await run(server.drives.erase(path, "unspecified"));
    const first = (await run(server.observe(task))).task;
    expect(first).toMatchObject({ state: "pending", message: "the drive is being erased (5 %)" });
    expect((await run(server.observe(first?.as))).task).toMatchObject({ state: "done" });
  });

  it.each<[string, object]>([
    ["a page for people", { status: 200, page: true }],
    ["another resource", { "@odata.id": "/t/5", Name: "Sessions" }],
    ["nothing, 404", { status: 404 }],
  ])("is lost where there is %s in place of the task", async (_, answer) => {
    const { server, run } = answering((__, at) =>
      at !== "/t/5" ? undefined : "page" in answer ? new Response("<html>login</html>") : answer,
    );
    expect((await run(server.observe("/t/5"))).task).toMatchObject({ state: "gone" });
  });
});
