import { describe, expect, it } from "vitest";
import { hours, minutes } from "../../../../../core/clock.ts";
import type { DriveFault } from "../../../../../sim/bmc/hardware.ts";
import type { Wire } from "../../../../support/site.ts";
import { asking } from "../fixture.ts";
import { ironicFixture } from "./fixture.ts";

/** Nodes of Ironic: whose they are, in which states they are used, and how they are erased. */

const node = "/v1/nodes/rack-1-01";

function open(options: Parameters<typeof ironicFixture>[0] = {}) {
  const at = ironicFixture(options);
  const { observe, failure } = asking(() => at);
  /** Does something as somebody else, such as a person or Nova. */
  const asPerson = async (method: string, path: string, body?: object): Promise<Wire> => {
    const { username, password } = at.sim.credential;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "content-type": "application/json",
      "x-openstack-ironic-api-version": "1.93",
    };
    const reply = await at.sim.handle(
      new Request(`http://ironic.test:6385${path}`, {
        ...{ method, headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (!reply.ok) throw new Error(await reply.text());
    return reply.status === 200 ? reply.json() : undefined;
  };
  const taken = async (host = "host-1") => {
    for (let left = 40; left > 0; left -= 1) {
      const error = await at.run(at.server.take(host).catch((thrown: unknown) => thrown));
      if (error === undefined) return;
      expect(error).toMatchObject({ kind: "Unavailable" });
      await at.pass(minutes(1));
    }
    throw new Error("it is never taken");
  };
  const listed = async () => {
    for (let left = 40; left > 0; left -= 1) {
      const found = await at.run(at.server.drives.list().catch(() => undefined));
      if (found) return found;
      await at.pass(minutes(1));
    }
    throw new Error("its drives are never listed");
  };
  const ended = async (task: string) => {
    for (let left = 100; left > 0; left -= 1) {
      const seen = (await observe(task)).task;
      if (seen?.state !== "pending") return seen;
      await at.pass(minutes(1));
    }
    throw new Error("the erasure does not end");
  };
  const written = () => at.machines.get(at.machine)?.drives.map((drive) => drive.written);
  const setFault = (fault?: DriveFault) =>
    at.machines.setDriveFault(at.machine, "Disk.Bay.0", fault);
  /**
   * What becomes of an attempt, where another has asked a node for the same between its look and its change, and the
   * service is further by then.
   */
  const preceded = async (path: string, body: object, attempt: () => Promise<unknown>) => {
    const { promise: hasPassed, resolve: go } = Promise.withResolvers<void>();
    at.network.before = ({ method }) => (method === "PUT" ? hasPassed : Promise.resolve());
    const end = attempt().catch((thrown: unknown) => thrown);
    await at.pass(1);
    await asPerson("PUT", `${path}/states/provision`, body);
    await at.pass(minutes(1));
    // The service goes on when it is asked.
    await asPerson("GET", path);
    go();
    return at.run(end);
  };
  return { ...at, observe, failure, preceded, asPerson, taken, listed, ended, written, setFault };
}

/** No request is given up while the service works. */
const patient = { timeout: minutes(5) };

const provision = (target: string) => ["PUT", `${node}/states/provision`, { target }] as const;

describe("a node of Ironic", () => {
  it("is claimed before it is used, and says whose it is", async () => {
    const at = open();
    expect(await at.failure(at.server.take("host-1"))).toMatchObject({
      kind: "Unavailable",
      message: "the node rack-1-01 is being claimed",
    });
    await at.run(at.server.take("host-1"));
    await at.run(at.server.take("host-1"));
    const sent = at.network.asked.filter(({ method }) => method !== "GET");
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["PATCH", node, [{ op: "add", path: "/extra/slipway_host", value: "host-1" }]],
    ]);
    expect(await at.asPerson("GET", node)).toMatchObject({ extra: { slipway_host: "host-1" } });
  });

  it("belongs to one host, whichever claims at the same time", async () => {
    const at = open();
    const both = await Promise.all([
      at.failure(at.server.take("host-1")),
      at.failure(at.server.take("host-2")),
    ]);
    expect(both.map(({ kind }) => kind)).toEqual(["Unavailable", "Unavailable"]);
    const holder = (await at.asPerson("GET", node)).extra.slipway_host;
    const other = holder === "host-1" ? "host-2" : "host-1";
    await at.run(at.server.take(holder));
    expect(await at.failure(at.server.take(other))).toMatchObject({
      kind: "Rejected",
      message: `expected the node rack-1-01 to be unclaimed; its extra says that it is the host ${holder}`,
    });
  });

  it("is given up by the host that has it, and by no other", async () => {
    const at = open();
    await at.taken();
    await at.run(at.server.giveUp("host-2"));
    expect((await at.asPerson("GET", node)).extra).toEqual({ slipway_host: "host-1" });
    await at.run(at.server.giveUp("host-1"));
    await at.run(at.server.giveUp("host-1"));
    expect((await at.asPerson("GET", node)).extra).toEqual({});
  });

  it("that is new is verified first", async () => {
    const at = open();
    const controller = { redfish_address: "https://bmc.test" };
    await at.asPerson("POST", "/v1/nodes", {
      name: "n2",
      driver: "redfish",
      driver_info: controller,
    });
    const server = at.serverOf("n2");
    expect(await at.failure(server.take("host-1"))).toMatchObject({ kind: "Unavailable" });
    expect((await at.asPerson("GET", "/v1/nodes/n2")).provision_state).toBe("enroll");
    expect(await at.failure(server.take("host-1"))).toMatchObject({ kind: "Unavailable" });
    expect((await at.asPerson("GET", "/v1/nodes/n2")).provision_state).toBe("verifying");
    await at.pass(minutes(1));
    await at.run(server.take("host-1"));
    expect((await at.asPerson("GET", "/v1/nodes/n2")).provision_state).toBe("manageable");
  });

  it("is taken where another attempt was first to ask", async () => {
    const at = open(patient);
    const controller = { redfish_address: "https://bmc.test" };
    const made = { name: "n2", driver: "redfish", driver_info: controller };
    await at.asPerson("POST", "/v1/nodes", made);
    const server = at.serverOf("n2");
    expect(await at.failure(server.take("host-1"))).toMatchObject({ kind: "Unavailable" });
    const taking = () => server.take("host-1");
    const met = await at.preceded("/v1/nodes/n2", { target: "manage" }, taking);
    expect(met).toMatchObject({ kind: "Unavailable" });
    await at.run(server.take("host-1"));
  });

  it("that Nova could take is taken from there", async () => {
    const at = open();
    await at.asPerson(...provision("provide"));
    await at.taken();
    expect((await at.asPerson("GET", node)).provision_state).toBe("manageable");
  });

  it.each([
    [
      "an instance",
      ["PATCH", node, [{ op: "add", path: "/instance_uuid", value: "vm-1" }]],
      "expected the node rack-1-01 to have no instance; it has vm-1",
    ],
    [
      "a person's maintenance",
      ["PUT", `${node}/maintenance`, { reason: "a fan is loud" }],
      "expected the node rack-1-01 to not be in maintenance; it is (a fan is loud)",
    ],
    [
      "another claim",
      ["PATCH", node, [{ op: "add", path: "/extra/slipway_host", value: "theirs" }]],
      "expected the node rack-1-01 to be unclaimed; its extra says that it is the host theirs",
    ],
  ] as [string, [string, string, object], string][])(
    "with %s is left alone",
    async (_, request, message) => {
      const at = open();
      await at.asPerson(...request);
      const before = await at.asPerson("GET", node);
      expect(await at.failure(at.server.take("host-1"))).toMatchObject({
        kind: "Rejected",
        message,
      });
      expect(await at.asPerson("GET", node)).toEqual(before);
      expect(at.network.asked.every(({ method }) => method === "GET")).toBe(true);
    },
  );
});

describe("the drives of a node of Ironic", () => {
  it("are known after an inspection, and are erased in a way that the service does not tell", async () => {
    const at = open();
    await at.taken();
    expect(await at.run(at.server.hardware())).toEqual({});
    expect(await at.failure(at.server.drives.list())).toMatchObject({ kind: "Unavailable" });
    expect((await at.asPerson("GET", node)).provision_state).toBe("inspecting");
    const [first, ...others] = await at.listed();
    expect(first).toEqual({
      ...{ id: "CN7016-D0", serial: "CN7016-D0", name: "/dev/nvme0n1", model: "PM1743" },
      ...{ media: "ssd", bytes: 1_920_383_410_176, methods: ["unspecified"] },
    });
    expect(others).toHaveLength(1);
    expect(await at.run(at.server.hardware())).toEqual({ processors: 2, memory: 512 * 2 ** 30 });
  });

  it("are erased together, in one cleaning, whole", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    at.machines.write(at.machine, "tenant-1");
    const task = await at.run(at.server.drives.erase());
    const again = await at.run(at.server.drives.erase());
    const cleanings = at.network.asked.filter(({ method, body }) => {
      const { target } = (body ?? {}) as { target?: string };
      return method === "PUT" && target === "clean";
    });
    expect(cleanings.map(({ body }) => body)).toEqual([
      { target: "clean", clean_steps: [{ interface: "deploy", step: "erase_devices" }] },
    ]);
    expect(await at.observe(task)).toMatchObject({ task: { state: "pending" } });
    expect(at.written()).toEqual(["tenant-1", "tenant-1"]);
    expect(await at.ended(task)).toMatchObject({ state: "done" });
    expect(await at.ended(again)).toMatchObject({ state: "done" });
    expect(at.written()).toEqual([undefined, undefined]);
    expect(await at.observe()).toMatchObject({ power: "off" });
    expect(await at.observe()).not.toHaveProperty("media");
  });

  it("are waited for, and not refused, where another attempt was first to ask", async () => {
    const at = open(patient);
    await at.taken();
    const { drives } = at.server;
    const inspected = await at.preceded(node, { target: "inspect" }, () => drives.list());
    expect(inspected).toMatchObject({ kind: "Unavailable" });
    expect((await at.asPerson("GET", node)).provision_state).toBe("inspect wait");
    await at.listed();
    const steps = [{ interface: "deploy", step: "erase_devices" }];
    const clean = { target: "clean", clean_steps: steps };
    const cleaned = await at.preceded(node, clean, () => drives.erase());
    expect(cleaned).toMatchObject({ kind: "Unavailable" });
    expect((await at.asPerson("GET", node)).provision_state).toBe("clean wait");
    const task = await at.run(drives.erase());
    expect(await at.ended(task)).toMatchObject({ state: "done" });
  });

  it("that fail are left, and erased when somebody asks again", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    at.machines.write(at.machine, "tenant-1");
    at.setFault("fails");
    const seen = await at.ended(await at.run(at.server.drives.erase()));
    expect(seen).toMatchObject({
      state: "failed",
      message: expect.stringContaining("Failed to erase the device /dev/nvme0n1"),
    });
    expect(at.written()).toContain("tenant-1");
    expect(await at.asPerson("GET", node)).toMatchObject({
      ...{ provision_state: "clean failed", maintenance: true, fault: "clean failure" },
    });
    at.setFault();
    await at.taken();
    expect(await at.asPerson("GET", node)).toMatchObject({
      ...{ provision_state: "manageable", maintenance: false },
    });
    expect(await at.ended(await at.run(at.server.drives.erase()))).toMatchObject({ state: "done" });
    expect(at.written()).toEqual([undefined, undefined]);
  });

  it("that failed under another hand are left to whoever that was", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    at.setFault("fails");
    await at.ended(await at.run(at.server.drives.erase()));
    await at.run(at.server.giveUp("host-1"));
    expect(await at.failure(at.server.take("host-2"))).toMatchObject({
      kind: "Rejected",
      message: expect.stringContaining("expected the node rack-1-01 to not be in maintenance"),
    });
    expect(await at.asPerson("GET", node)).toMatchObject({ maintenance: true, extra: {} });
  });

  it("can be said to be erased when they are not", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    at.machines.write(at.machine, "tenant-1");
    at.setFault("lies");
    expect(await at.ended(await at.run(at.server.drives.erase()))).toMatchObject({ state: "done" });
    expect(at.written()).toContain("tenant-1");
  });

  it("are not said to be erased when a person has ended that, or has cleaned in another way", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    const task = await at.run(at.server.drives.erase());
    await at.pass(minutes(1));
    await at.asPerson("GET", node);
    await at.asPerson(...provision("abort"));
    expect(await at.ended(task)).toMatchObject({ state: "failed" });
    await at.asPerson(...provision("manage"));
    expect(await at.ended(task)).toMatchObject({ state: "failed" });
    const raid = { interface: "raid", step: "create_configuration" };
    await at.asPerson("PUT", `${node}/states/provision`, { target: "clean", clean_steps: [raid] });
    expect(await at.failure(at.server.drives.erase())).toMatchObject({ kind: "Unavailable" });
  });

  it("are erased though the answer is lost", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    at.machines.write(at.machine, "tenant-1");
    at.faults.add({ target: "bmc", operation: "PUT /v1/nodes", fault: "crash_after" });
    expect(await at.failure(at.server.drives.erase())).toMatchObject({ kind: "Unavailable" });
    const task = await at.run(at.server.drives.erase());
    expect(await at.ended(task)).toMatchObject({ state: "done" });
    expect(at.written()).toEqual([undefined, undefined]);
  });

  it("fail where the server never starts", async () => {
    const at = open();
    await at.taken();
    await at.listed();
    const task = await at.run(at.server.drives.erase());
    await at.pass(minutes(1));
    await at.asPerson("GET", node);
    const machine = at.machines.get(at.machine);
    if (!machine) throw new Error("it is gone");
    at.machines.put({ ...machine, power: "PoweringOn", until: at.clock.now() + hours(10) });
    expect(await at.ended(task)).toMatchObject({
      state: "failed",
      message: expect.stringContaining("Timeout"),
    });
  });
});
