import { beforeEach, describe, expect, it } from "vitest";
import { dhcpContract, one, order, plan, two } from "../contract.ts";
import { keaFixture } from "./fixture.ts";

describe("Kea keeps the contract", () => {
  dhcpContract(() => keaFixture());
});

describe("Kea is asked", () => {
  let at: ReturnType<typeof keaFixture>;
  beforeEach(() => {
    at = keaFixture();
  });
  const bodies = () => at.network.asked.map(({ body }) => body);
  const asked = async (call: Promise<unknown>) => {
    at.network.asked.length = 0;
    await at.run(call);
    return bodies();
  };
  const service = ["dhcp4"];
  const id = 167_772_928;
  const context = {
    "slipway.dev/owner": `slipway.dev/cluster=${order.id} slipway.dev/tenant=tenant-a`,
  };
  const get = { command: "subnet4-get", service, arguments: { subnet: "10.0.3.0/26" } };
  const hosts = {
    command: "reservation-get-all",
    service,
    arguments: { "subnet-id": id, "operation-target": "memory" },
  };
  const write = { command: "config-write", service };

  it("for a subnet, as its manual says, and to write its configuration", async () => {
    const subnet = {
      id,
      subnet: "10.0.3.0/26",
      pools: [{ pool: "10.0.3.10 - 10.0.3.60" }],
      "option-data": [
        { name: "routers", data: "10.0.3.1" },
        { name: "domain-name-servers", data: "192.0.2.53, 192.0.2.54" },
      ],
      "user-context": context,
    };
    expect(await asked(at.dhcp.ensure(order, plan))).toEqual([
      get,
      { command: "subnet4-add", service, arguments: { subnet4: [subnet] } },
      write,
      get,
    ]);
    expect(await asked(at.dhcp.ensure(order, plan))).toEqual([get, write, get]);
    const [{ headers, method, path } = { headers: {}, method: "", path: "" }] = at.network.asked;
    expect([method, path]).toEqual(["POST", "/"]);
    const basic = Buffer.from(`slipway:${at.sim.password}`).toString("base64");
    expect(headers).toMatchObject({ authorization: `Basic ${basic}` });
  });

  it("for reservations in its memory, and none of a database", async () => {
    await at.run(at.dhcp.ensure(order, plan));
    expect(await asked(at.dhcp.reserve(order, [one, two]))).toEqual([
      get,
      hosts,
      {
        command: "reservation-add",
        service,
        arguments: {
          reservation: {
            "subnet-id": id,
            "hw-address": one.mac,
            "ip-address": one.address,
            "user-context": context,
          },
          "operation-target": "memory",
        },
      },
      {
        command: "reservation-add",
        service,
        arguments: {
          reservation: {
            "subnet-id": id,
            "hw-address": two.mac,
            "ip-address": two.address,
            "next-server": "10.0.3.2",
            "boot-file-name": "boot/agent.ipxe",
            "user-context": context,
          },
          "operation-target": "memory",
        },
      },
      write,
      hosts,
    ]);
    at.sim.leaseOf(one.mac, order.prefix);
    expect(await asked(at.dhcp.reserve(order, [two]))).toEqual([
      get,
      hosts,
      { command: "lease4-get-all", service, arguments: { subnets: [id] } },
      { command: "lease4-del", service, arguments: { "ip-address": one.address } },
      {
        command: "reservation-del",
        service,
        arguments: {
          "subnet-id": id,
          "identifier-type": "hw-address",
          identifier: one.mac,
          "operation-target": "memory",
        },
      },
      write,
      hosts,
    ]);
  });

  it("to forget a subnet with its leases", async () => {
    await at.run(at.dhcp.ensure(order, plan));
    expect(await asked(at.dhcp.remove(order))).toEqual([
      get,
      { command: "subnet4-del", service, arguments: { id } },
      { command: "lease4-get-all", service, arguments: { subnets: [id] } },
      write,
      get,
    ]);
  });

  it.each([
    ["libdhcp_subnet_cmds.so", () => at.dhcp.ensure(order, plan)],
    ["libdhcp_host_cmds.so", () => at.dhcp.reserve(order, [one])],
    ["libdhcp_lease_cmds.so", () => at.dhcp.remove(order)],
  ])("and says by its name that %s is not loaded", async (hook, call) => {
    at = keaFixture(at.sim.hooks.size ? [...at.sim.hooks].filter((name) => name !== hook) : []);
    expect(await at.run(at.dhcp.lacks())).toEqual([`hook library ${hook}`]);
    if (hook !== "libdhcp_subnet_cmds.so") await at.run(at.dhcp.ensure(order, plan));
    await expect(at.run(call())).rejects.toMatchObject({
      kind: "Unavailable",
      message: `the DHCP server has no hook library ${hook}`,
    });
  });

  describe("and answers in ways of its own", () => {
    const answers = (reply: unknown, status = 200) => {
      at.intercept = async () => Response.json(reply, { status });
    };
    const offline =
      "unable to forward command to the dhcp4 service: No such file or directory. The server is likely to be offline";

    it.each([
      ["a control agent whose server is down", [{ result: 1, text: offline }], 200, "Unavailable"],
      ["a conflict", [{ result: 4, text: "not now" }], 200, "Unavailable"],
      ["a fatal error", [{ result: 5, text: "broken" }], 200, "Unavailable"],
      ["an error", [{ result: 1, text: "wrong" }], 200, "Rejected"],
      ["one answer without a list", { result: 1, text: "wrong" }, 200, "Rejected"],
      ["a command that is not allowed", { result: 403, text: "Forbidden" }, 403, "Unavailable"],
      ["a request that is none", { result: 400, text: "Bad Request" }, 400, "Rejected"],
      ["something else", { hello: "world" }, 200, "Unavailable"],
    ])("%s", async (_, reply, status, kind) => {
      answers(reply, status);
      await expect(at.run(at.dhcp.observe(order, plan))).rejects.toMatchObject({ kind });
    });

    it("a file that cannot be written is waited out", async () => {
      at.intercept = async (answer) =>
        at.network.calls.length === 3
          ? Response.json([{ result: 1, text: "Unable to open file for writing" }])
          : answer();
      await expect(at.run(at.dhcp.ensure(order, plan))).rejects.toMatchObject({
        kind: "Unavailable",
        message: "the DHCP server cannot write its configuration: Unable to open file for writing",
      });
    });
  });

  it("and finds its subnets in shared networks too", async () => {
    at.intercept = async () =>
      Response.json([
        {
          result: 0,
          arguments: {
            Dhcp4: {
              "shared-networks": [
                { subnet4: [{ id, subnet: order.prefix, "user-context": context }] },
              ],
            },
          },
        },
      ]);
    expect(await at.run(at.dhcp.observeAll())).toEqual([order]);
  });

  it("leaves a reservation in its subnet alone that somebody else made", async () => {
    await at.run(at.dhcp.ensure(order, plan));
    const theirs = { "subnet-id": id, "hw-address": "52:54:00:00:00:aa" };
    at.sim.change({ ...at.sim.config, reservations: [theirs] });
    await at.run(at.dhcp.reserve(order, [one]));
    await at.run(at.dhcp.reserve(order, []));
    expect(at.sim.config.reservations).toEqual([theirs]);
  });
});
