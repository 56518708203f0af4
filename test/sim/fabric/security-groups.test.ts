import { beforeEach, describe, expect, it } from "vitest";
import { TestFabric } from "../../support/fabric.ts";

let test: TestFabric;
beforeEach(() => {
  test = new TestFabric();
});

const askGroups = (method: string, path = "", group?: object) =>
  test.ask(method, `/v2.0/security-groups${path}`, group && { security_group: group });
const askRules = (method: string, path = "", rule?: object) =>
  test.ask(method, `/v2.0/security-group-rules${path}`, rule && { security_group_rule: rule });
const makeGroup = async (group: object = {}) =>
  (await askGroups("POST", "", group)).body.security_group;
const refusalOf = ({ status, body }: { status: number; body: unknown }) => {
  // A refusal of Neutron's has no other form.
  const { NeutronError } = body as { NeutronError: { type: string; message: string } };
  return { status, type: NeutronError.type, message: NeutronError.message };
};

describe("a security group", () => {
  it("begins with all ways out and none in", async () => {
    const group = await makeGroup({ name: "web", description: "of a tenant" });
    expect(group).toMatchObject({
      name: "web",
      description: "of a tenant",
      stateful: true,
      tags: [],
      revision_number: 0,
    });
    const any = {
      security_group_id: group.id,
      direction: "egress",
      protocol: null,
      port_range_min: null,
      port_range_max: null,
      remote_ip_prefix: null,
      remote_group_id: null,
    };
    expect(group.security_group_rules).toMatchObject([
      { ...any, ethertype: "IPv4" },
      { ...any, ethertype: "IPv6" },
    ]);
    const { body } = await askGroups("GET", `/${group.id}`);
    expect(body.security_group).toEqual(group);
  });

  it("is changed, tagged, found by its tag, and removed with its rules", async () => {
    const { id } = await makeGroup();
    const { body } = await askGroups("PUT", `/${id}`, { name: "a", description: "b" });
    expect(body.security_group).toMatchObject({ name: "a", description: "b", revision_number: 1 });
    await test.ask("PUT", `/v2.0/security-groups/${id}/tags`, { tags: ["x=y"] });
    const found = await askGroups("GET", "?tags=x=y");
    expect(found.body.security_groups.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await askGroups("DELETE", `/${id}`)).status).toBe(204);
    expect(refusalOf(await askGroups("GET", `/${id}`))).toEqual({
      status: 404,
      type: "SecurityGroupNotFound",
      message: `Security group ${id} does not exist`,
    });
    const rules = await askRules("GET", `?security_group_id=${id}`);
    expect(rules.body.security_group_rules).toEqual([]);
  });

  it("takes the rules of others along that name it", async () => {
    const [group, other] = [await makeGroup(), await makeGroup()];
    await askRules("POST", "", {
      security_group_id: other.id,
      direction: "ingress",
      remote_group_id: group.id,
    });
    await askGroups("DELETE", `/${group.id}`);
    const { body } = await askGroups("GET", `/${other.id}`);
    expect(body.security_group.security_group_rules).toHaveLength(2);
  });

  it("stays while a port is in it", async () => {
    const { id } = await makeGroup();
    const network = await test.ask("POST", "/v2.0/networks", { network: {} });
    const made = await test.ask("POST", "/v2.0/ports", {
      port: { network_id: network.body.network.id, security_groups: [id] },
    });
    expect(refusalOf(await askGroups("DELETE", `/${id}`))).toEqual({
      status: 409,
      type: "SecurityGroupInUse",
      message: `Security Group ${id} in use.`,
    });
    await test.ask("DELETE", `/v2.0/ports/${made.body.port.id}`);
    expect((await askGroups("DELETE", `/${id}`)).status).toBe(204);
  });

  it("counts against its quota, and so do its rules", async () => {
    test = new TestFabric({ quotas: { security_group: 2, security_group_rule: 7 } });
    const { id } = await makeGroup();
    expect(refusalOf(await askGroups("POST", "", {}))).toEqual({
      status: 409,
      type: "OverQuota",
      message: "Quota exceeded for resources: ['security_group'].",
    });
    const rule = (protocol: string) =>
      askRules("POST", "", { security_group_id: id, direction: "ingress", protocol });
    expect((await rule("tcp")).status).toBe(201);
    expect(refusalOf(await rule("udp"))).toMatchObject({ type: "OverQuota" });
  });

  it("is in the ledger with its rules, and the project's own is not", async () => {
    const kinds = () => test.ledger().filter(({ kind }) => kind.startsWith("security_group"));
    expect(kinds()).toEqual([]);
    await makeGroup({ description: "slipway.dev/tenant=t slipway.dev/cluster=c" });
    const owner = { tenant: "t", kind: "cluster", id: "c" };
    const made = kinds().map((item) => ({ kind: item.kind, owner: item.owner }));
    expect(made).toEqual([
      { kind: "security_group", owner },
      { kind: "security_group_rule", owner },
      { kind: "security_group_rule", owner },
    ]);
  });
});

describe("the project's own group", () => {
  const own = async () => (await askGroups("GET", "?name=default")).body.security_groups[0];

  it("lets its members in, and everything out", async () => {
    const { id, security_group_rules: rules } = await own();
    expect(rules).toMatchObject([
      { direction: "ingress", ethertype: "IPv4", remote_group_id: id },
      { direction: "ingress", ethertype: "IPv6", remote_group_id: id },
      { direction: "egress", ethertype: "IPv4", remote_group_id: null },
      { direction: "egress", ethertype: "IPv6", remote_group_id: null },
    ]);
  });

  it("has a name that no other may have, and stays", async () => {
    const { id } = await own();
    expect(refusalOf(await askGroups("POST", "", { name: "default" }))).toMatchObject({
      status: 409,
      type: "SecurityGroupDefaultAlreadyExists",
    });
    expect(refusalOf(await askGroups("PUT", `/${id}`, { name: "x" }))).toMatchObject({
      status: 409,
      type: "SecurityGroupCannotUpdateDefault",
    });
    expect(refusalOf(await askGroups("DELETE", `/${id}`))).toMatchObject({
      status: 409,
      type: "SecurityGroupCannotRemoveDefault",
    });
  });
});

describe("a rule", () => {
  let group: string;
  beforeEach(async () => {
    group = (await makeGroup()).id;
  });
  const post = (rule: object) =>
    askRules("POST", "", { security_group_id: group, direction: "ingress", ...rule });

  it.each([
    [{}, { ethertype: "IPv4", protocol: null, remote_ip_prefix: null }],
    [{ protocol: "TCP" }, { protocol: "tcp" }],
    [{ protocol: 6 }, { protocol: "6" }],
    [{ protocol: "any" }, { protocol: null }],
    [{ protocol: "icmp", ethertype: "IPv6" }, { protocol: "ipv6-icmp" }],
    [{ protocol: "1", ethertype: "IPv6" }, { protocol: "58" }],
    [
      { protocol: "tcp", port_range_min: 22, port_range_max: "23" },
      { port_range_min: 22, port_range_max: 23 },
    ],
    [
      { protocol: "icmp", port_range_min: 0 },
      { port_range_min: 0, port_range_max: null },
    ],
    [
      { remote_ip_prefix: "10.0.0.9" },
      { remote_ip_prefix: "10.0.0.9/32", normalized_cidr: "10.0.0.9/32" },
    ],
    [
      { remote_ip_prefix: "10.0.0.9/24" },
      { remote_ip_prefix: "10.0.0.9/24", normalized_cidr: "10.0.0.0/24" },
    ],
    [{ remote_ip_prefix: "2001:db8::/32", ethertype: "IPv6" }, { ethertype: "IPv6" }],
  ])("of %j is stored as %j", async (rule, stored) => {
    const { status, body } = await post(rule);
    expect(status).toBe(201);
    expect(body.security_group_rule).toMatchObject(stored);
    const { body: again } = await askRules("GET", `/${body.security_group_rule.id}`);
    expect(again).toEqual(body);
  });

  const unknown = "00000000-0000-4000-8000-000000000000";
  it.each([
    [{ protocol: "tcp", port_range_min: 2, port_range_max: 1 }, "SecurityGroupInvalidPortRange"],
    [{ protocol: "tcp", port_range_min: 2 }, "SecurityGroupInvalidPortRange"],
    [{ protocol: "udp", port_range_max: 2 }, "SecurityGroupInvalidPortRange"],
    [{ protocol: "tcp", port_range_min: 0, port_range_max: 1 }, "SecurityGroupInvalidPortValue"],
    [
      { protocol: "tcp", port_range_min: 1, port_range_max: 65_536 },
      "SecurityGroupInvalidPortValue",
    ],
    [{ port_range_min: 1, port_range_max: 2 }, "SecurityGroupProtocolRequiredWithPorts"],
    [
      { protocol: "gre", port_range_min: 1, port_range_max: 2 },
      "SecurityGroupInvalidProtocolForPort",
    ],
    [{ protocol: "icmp", port_range_min: 256 }, "SecurityGroupInvalidIcmpValue"],
    [{ protocol: "icmp", port_range_max: 1 }, "SecurityGroupMissingIcmpType"],
    [{ protocol: "quic" }, "SecurityGroupRuleInvalidProtocol"],
    [{ protocol: "256" }, "SecurityGroupRuleInvalidProtocol"],
    [{ protocol: "ipv6-icmp" }, "SecurityGroupEthertypeConflictWithProtocol"],
    [{ remote_ip_prefix: "2001:db8::/32" }, "SecurityGroupRuleParameterConflict"],
    [{ remote_ip_prefix: "10.0.0.0/8", ethertype: "IPv6" }, "SecurityGroupRuleParameterConflict"],
    [
      { remote_ip_prefix: "10.0.0.0/8", remote_group_id: unknown },
      "SecurityGroupMultipleRemoteEntites",
    ],
    [{ remote_ip_prefix: "10.0.0.0/33" }, "HTTPBadRequest"],
    [{ direction: "sideways" }, "HTTPBadRequest"],
    [{ colour: "red" }, "HTTPBadRequest"],
  ])("of %j is refused: %s", async (rule, type) => {
    expect(refusalOf(await post(rule))).toMatchObject({ status: 400, type });
  });

  it("of an unknown group, or one that names it, is refused", async () => {
    for (const rule of [{ security_group_id: unknown }, { remote_group_id: unknown }]) {
      expect(refusalOf(await post(rule))).toEqual({
        status: 404,
        type: "SecurityGroupNotFound",
        message: `Security group ${unknown} does not exist`,
      });
    }
  });

  it.each([
    [{ protocol: "tcp" }, { protocol: "6" }],
    [{}, { remote_ip_prefix: "0.0.0.0/0" }],
    [{ ethertype: "IPv6" }, { ethertype: "IPv6", remote_ip_prefix: "::/0" }],
    [{ remote_ip_prefix: "10.0.0.1" }, { remote_ip_prefix: "10.0.0.1/32" }],
  ])("of %j is there already for %j", async (first, second) => {
    const { body } = await post(first);
    expect(refusalOf(await post(second))).toEqual({
      status: 409,
      type: "SecurityGroupRuleExists",
      message: `Security group rule already exists. Rule id is ${body.security_group_rule.id}.`,
    });
    const other = (await makeGroup()).id;
    expect((await post({ ...second, security_group_id: other })).status).toBe(201);
  });

  it("is never changed, and removed once", async () => {
    const { id } = (await post({})).body.security_group_rule;
    expect((await askRules("PUT", `/${id}`, { direction: "egress" })).status).toBe(405);
    expect((await askRules("DELETE", `/${id}`)).status).toBe(204);
    expect(refusalOf(await askRules("DELETE", `/${id}`))).toEqual({
      status: 404,
      type: "SecurityGroupRuleNotFound",
      message: `Security group rule ${id} does not exist`,
    });
  });
});

describe("a port", () => {
  const post = async (port: object = {}) => {
    const { body } = await test.ask("POST", "/v2.0/networks", { network: {} });
    return test.ask("POST", "/v2.0/ports", { port: { network_id: body.network.id, ...port } });
  };
  const put = (id: string, port: object) => test.ask("PUT", `/v2.0/ports/${id}`, { port });
  const own = async () => (await askGroups("GET", "?name=default")).body.security_groups[0].id;

  it("is in the project's own group unless told otherwise", async () => {
    const secured = { port_security_enabled: true, security_groups: [await own()] };
    expect((await post()).body.port).toMatchObject(secured);
    expect((await post({ security_groups: null })).body.port).toMatchObject(secured);
    const none = await post({ security_groups: [] });
    expect(none.body.port).toMatchObject({ ...secured, security_groups: [] });
    const { id } = await makeGroup();
    const told = await post({ security_groups: [id, id] });
    expect(told.body.port.security_groups).toEqual([id]);
  });

  it("gives up its groups before its security", async () => {
    const { id } = (await post()).body.port;
    expect(refusalOf(await put(id, { port_security_enabled: false }))).toMatchObject({
      status: 409,
      type: "PortSecurityPortHasSecurityGroup",
    });
    const bare = { port_security_enabled: false, security_groups: [] };
    expect((await put(id, bare)).body.port).toMatchObject(bare);
    const group = (await makeGroup()).id;
    expect(refusalOf(await put(id, { security_groups: [group] }))).toMatchObject({
      type: "PortSecurityPortHasSecurityGroup",
    });
    expect((await post({ port_security_enabled: false })).body.port).toMatchObject(bare);
  });

  it("is in no group that is not there", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    expect(refusalOf(await post({ security_groups: [id] }))).toEqual({
      status: 404,
      type: "SecurityGroupNotFound",
      message: `Security group ${id} does not exist`,
    });
  });
});
