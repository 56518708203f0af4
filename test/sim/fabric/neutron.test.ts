import { beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../core/clock.ts";
import { fabricApi } from "../../../sim/fabric/api.ts";
import { cloud, TestFabric } from "../../support/fabric.ts";

let test: TestFabric;
beforeEach(() => {
  test = new TestFabric();
});

const provider = (vlan: number) => ({
  "provider:network_type": "vlan",
  "provider:physical_network": "physnet1",
  "provider:segmentation_id": vlan,
});

async function make(collection: string, body: object) {
  const kind = collection.slice(0, -1);
  const answer = await test.ask("POST", `/v2.0/${collection}`, { [kind]: body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer));
  return answer.body[kind];
}

/** Status, type and message of a refusal. */
async function refusal(method: string, path: string, body?: unknown, headers = {}) {
  const { status, body: answer } = await test.ask(method, path, body, headers);
  const { type, message, detail } = answer?.NeutronError ?? {};
  expect(detail).toBe("");
  return { status, type, message };
}

const makeNetwork = (body: object = {}) => make("networks", body);
const makeSubnet = (network: { id: string }, body: object = {}) =>
  make("subnets", { network_id: network.id, ip_version: 4, cidr: "10.0.0.0/24", ...body });
const makeRouter = () =>
  make("routers", { external_gateway_info: { network_id: test.sim.externalNetwork } });
const connect = (router: { id: string }, subnet: { id: string }) =>
  test.ask("PUT", `/v2.0/routers/${router.id}/add_router_interface`, { subnet_id: subnet.id });

describe("identity", () => {
  const login = (credential: { id: string; secret: string }) =>
    new Request(`${cloud}/v3/auth/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        auth: {
          identity: { methods: ["application_credential"], application_credential: credential },
        },
      }),
    });

  it("says that it knows no such credential", async () => {
    const response = await fabricApi(test.sim)(login({ id: "x", secret: "y" }));
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: {
          code: 404,
          message: "Could not find Application Credential: x.",
          title: "Not Found",
        },
      },
    ]);
  });

  it("refuses a wrong secret and an unknown token as Keystone does", async () => {
    const { id } = test.sim.keystone.credential;
    for (const request of [
      login({ id, secret: "y" }),
      new Request(`${cloud}/v2.0/networks`, { headers: { "x-auth-token": "no" } }),
    ]) {
      const response = await fabricApi(test.sim)(request);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Keystone uri=/);
      expect(await response.json()).toEqual({
        error: {
          code: 401,
          message: "The request you have made requires authentication.",
          title: "Unauthorized",
        },
      });
    }
  });
});

describe("a credential's roles", () => {
  const port = (network: { id: string }, body: object = {}) =>
    test.ask("POST", "/v2.0/ports", { port: { network_id: network.id, ...body } });
  const profile = { "binding:profile": { local_link_information: [] } };
  const public_ = () => ({ id: test.sim.externalNetwork });
  const denied = (rule: string) => ({
    NeutronError: {
      type: "PolicyNotAuthorized",
      message: `${rule} is disallowed by policy`,
      detail: "",
    },
  });

  it("let an administrator bind no port", async () => {
    test = new TestFabric({ roles: ["admin"] });
    const network = await makeNetwork(provider(120));
    expect((await port(network, { "binding:host_id": "h" })).status).toBe(201);
    expect(await port(network, profile)).toEqual({
      status: 403,
      body: denied("(rule:create_port and rule:create_port:binding:profile)"),
    });
  });

  it("let a service bind ports, and make nothing else", async () => {
    test = new TestFabric({ roles: ["service"] });
    expect((await port(public_(), profile)).status).toBe(201);
    for (const [collection, kind] of [
      ["networks", "network"],
      ["routers", "router"],
      ["security-groups", "security_group"],
    ])
      expect(await test.ask("POST", `/v2.0/${collection}`, { [kind ?? ""]: {} })).toEqual({
        status: 403,
        body: denied(`rule:create_${kind}`),
      });
  });

  it("let a member make its own networks, and choose and see no VLAN", async () => {
    test = new TestFabric({ roles: ["member"] });
    expect(await test.ask("POST", "/v2.0/networks", { network: provider(120) })).toMatchObject({
      status: 403,
      body: { NeutronError: { type: "PolicyNotAuthorized" } },
    });
    const network = await makeNetwork({ shared: false });
    expect(Object.keys(network)).not.toContain("provider:segmentation_id");
    const gateway = { network_id: test.sim.externalNetwork };
    const router = (info: object) =>
      test.ask("POST", "/v2.0/routers", { router: { external_gateway_info: info } });
    expect((await router(gateway)).status).toBe(201);
    expect((await router({ ...gateway, enable_snat: true })).status).toBe(403);
  });
});

describe("networks", () => {
  it("may have the same name twice, and get VLANs of the range where none is asked for", async () => {
    const [first, second] = [await makeNetwork({ name: "a" }), await makeNetwork({ name: "a" })];
    expect(first).toMatchObject({
      name: "a",
      status: "ACTIVE",
      subnets: [],
      revision_number: 0,
      created_at: "2026-01-01T00:00:00Z",
      "provider:segmentation_id": 100,
    });
    expect(second["provider:segmentation_id"]).toBe(101);
  });

  it("are refused a VLAN that is taken, out of range, or on no physical network", async () => {
    await makeNetwork(provider(120));
    const post = (body: object) => refusal("POST", "/v2.0/networks", { network: body });
    expect(await post(provider(120))).toEqual({
      status: 409,
      type: "VlanIdInUse",
      message: "Unable to create the network. The VLAN 120 on physical network physnet1 is in use.",
    });
    expect(await post(provider(5000))).toMatchObject({ status: 400, type: "InvalidInput" });
    expect(await post({ "provider:segmentation_id": 7 })).toMatchObject({ status: 400 });
    expect(await post({ ...provider(7), "provider:physical_network": "x" })).toMatchObject({
      status: 400,
      type: "InvalidInput",
    });
    expect(await post({ colour: "red" })).toEqual({
      status: 400,
      type: "HTTPBadRequest",
      message: "Unrecognized attribute(s) 'colour'",
    });
  });

  it("end with the pool of VLANs", async () => {
    test = new TestFabric({ vlans: { first: 100, last: 100 } });
    await makeNetwork();
    expect(await refusal("POST", "/v2.0/networks", { network: {} })).toMatchObject({
      status: 503,
      type: "NoNetworkAvailable",
    });
  });

  it("take subnets and DHCP with them, and stay while a port is on them", async () => {
    const network = await makeNetwork();
    await makeSubnet(network);
    await test.clock.advance(seconds(10));
    const port = await make("ports", { network_id: network.id });
    expect(await refusal("DELETE", `/v2.0/networks/${network.id}`)).toEqual({
      status: 409,
      type: "NetworkInUse",
      message: `Unable to complete operation on network ${network.id}. There are one or more ports still in use on the network, id for these ports is: ${port.id}.`,
    });
    await test.ask("DELETE", `/v2.0/ports/${port.id}`);
    expect(await test.ask("DELETE", `/v2.0/networks/${network.id}`)).toMatchObject({ status: 204 });
    expect(await refusal("DELETE", `/v2.0/networks/${network.id}`)).toEqual({
      status: 404,
      type: "NetworkNotFound",
      message: `Network ${network.id} could not be found.`,
    });
    expect(test.sim.state.records.all("subnet")).toHaveLength(1);
  });
});

describe("subnets", () => {
  it("take the first address as gateway and the rest as pool", async () => {
    const subnet = await makeSubnet(await makeNetwork(), { cidr: "10.0.0.5/29" });
    expect(subnet).toMatchObject({
      cidr: "10.0.0.0/29",
      gateway_ip: "10.0.0.1",
      allocation_pools: [{ start: "10.0.0.2", end: "10.0.0.6" }],
      enable_dhcp: true,
    });
  });

  it("may overlap with another network's, but not with their own network's", async () => {
    const network = await makeNetwork();
    await makeSubnet(network);
    await makeSubnet(await makeNetwork());
    const body = { network_id: network.id, ip_version: 4, cidr: "10.0.0.128/25" };
    expect(await refusal("POST", "/v2.0/subnets", { subnet: body })).toEqual({
      status: 400,
      type: "InvalidInput",
      message: `Invalid input for operation: Requested subnet with cidr: 10.0.0.128/25 for network: ${network.id} overlaps with another subnet.`,
    });
  });

  it.each([
    [{ gateway_ip: "10.0.0.5" }, 409, "GatewayConflictWithAllocationPools"],
    [
      { allocation_pools: [{ start: "10.0.0.2", end: "10.0.1.2" }] },
      400,
      "OutOfBoundsAllocationPool",
    ],
    [{ network_id: "no" }, 404, "NetworkNotFound"],
    [{ cidr: "10.0.0.0/33" }, 400, "InvalidInput"],
  ])("are refused %j", async (changes, status, type) => {
    const { id } = await makeNetwork();
    const subnet = {
      network_id: id,
      ip_version: 4,
      cidr: "10.0.0.0/24",
      allocation_pools: [{ start: "10.0.0.2", end: "10.0.0.9" }],
      ...changes,
    };
    expect(await refusal("POST", "/v2.0/subnets", { subnet })).toMatchObject({ status, type });
  });

  it("get a DHCP port some seconds later, which keeps nobody from deleting them", async () => {
    const network = await makeNetwork();
    const subnet = await makeSubnet(network);
    const ports = async () =>
      (await test.ask("GET", `/v2.0/ports?network_id=${network.id}`)).body.ports;
    expect(await ports()).toEqual([]);
    await test.clock.advance(seconds(10));
    expect(await ports()).toMatchObject([
      { device_owner: "network:dhcp", fixed_ips: [{ ip_address: "10.0.0.2" }] },
    ]);
    expect(await test.ask("DELETE", `/v2.0/subnets/${subnet.id}`)).toMatchObject({ status: 204 });
    expect(await ports()).toEqual([]);
  });
});

describe("routers", () => {
  it("connect a subnet once, and say so with a bad request", async () => {
    const subnet = await makeSubnet(await makeNetwork());
    const router = await makeRouter();
    expect(await connect(router, subnet)).toMatchObject({
      status: 200,
      body: { id: router.id, subnet_id: subnet.id, subnet_ids: [subnet.id] },
    });
    const path = `/v2.0/routers/${router.id}/add_router_interface`;
    expect(await refusal("PUT", path, { subnet_id: subnet.id })).toEqual({
      status: 400,
      type: "BadRequest",
      message: `Bad router request: Router already has a port on subnet ${subnet.id}.`,
    });
    expect(await refusal("PUT", path, { subnet_id: subnet.id, port_id: "any" })).toEqual({
      status: 400,
      type: "BadRequest",
      message: "Bad router request: Cannot specify both subnet-id and port-id.",
    });
    const twin = await makeSubnet(await makeNetwork());
    expect((await refusal("PUT", path, { subnet_id: twin.id })).message).toContain(
      "overlaps with cidr",
    );
    const other = await makeRouter();
    expect(
      await refusal("PUT", `/v2.0/routers/${other.id}/add_router_interface`, {
        subnet_id: subnet.id,
      }),
    ).toMatchObject({ status: 409, type: "IpAddressAlreadyAllocated" });
  });

  it("stay while they have interfaces, whose ports go only through them", async () => {
    const subnet = await makeSubnet(await makeNetwork());
    const router = await makeRouter();
    const { body } = await connect(router, subnet);
    expect(await refusal("DELETE", `/v2.0/routers/${router.id}`)).toEqual({
      status: 409,
      type: "RouterInUse",
      message: `Router ${router.id} has ports still attached: ${body.port_id}`,
    });
    expect(await refusal("DELETE", `/v2.0/ports/${body.port_id}`)).toMatchObject({
      status: 409,
      type: "ServicePortInUse",
    });
    expect(await refusal("DELETE", `/v2.0/subnets/${subnet.id}`)).toMatchObject({
      status: 409,
      type: "SubnetInUse",
    });
    const path = `/v2.0/routers/${router.id}/remove_router_interface`;
    expect(await test.ask("PUT", path, { subnet_id: subnet.id })).toMatchObject({ status: 200 });
    expect(await refusal("PUT", path, { subnet_id: subnet.id })).toEqual({
      status: 404,
      type: "RouterInterfaceNotFoundForSubnet",
      message: `Router ${router.id} has no interface on subnet ${subnet.id}`,
    });
    expect(await test.ask("DELETE", `/v2.0/routers/${router.id}`)).toMatchObject({ status: 204 });
  });
});

describe("floating IPs", () => {
  it("become ACTIVE seconds after they are associated, and lead there while the router does", async () => {
    const network = await makeNetwork();
    const subnet = await makeSubnet(network);
    const router = await makeRouter();
    await connect(router, subnet);
    const port = await make("ports", { network_id: network.id });
    const floating = await make("floatingips", {
      floating_network_id: test.sim.externalNetwork,
      port_id: port.id,
    });
    expect(floating).toMatchObject({ status: "DOWN", router_id: router.id, port_id: port.id });
    const address = floating.floating_ip_address;
    expect(test.sim.isReachable(address)).toBe(false);
    await test.clock.advance(seconds(10));
    expect((await test.ask("GET", `/v2.0/floatingips/${floating.id}`)).body.floatingip.status).toBe(
      "ACTIVE",
    );
    expect(test.sim.addressBehind(address)).toBe(port.fixed_ips[0].ip_address);

    const clear = { router: { external_gateway_info: {} } };
    expect(await refusal("PUT", `/v2.0/routers/${router.id}`, clear)).toMatchObject({
      type: "RouterExternalGatewayInUseByFloatingIp",
    });
    const again = { floating_network_id: test.sim.externalNetwork, port_id: port.id };
    expect(await refusal("POST", "/v2.0/floatingips", { floatingip: again })).toMatchObject({
      status: 409,
      type: "FloatingIPPortAlreadyAssociated",
    });
    await test.ask("DELETE", `/v2.0/ports/${port.id}`);
    expect(test.sim.isReachable(address)).toBe(false);
    await test.ask("DELETE", `/v2.0/floatingips/${floating.id}`);
    expect(test.sim.isReachable(address)).toBe(false);
  });

  it("are one for each address inside: another one takes over when the first is taken off", async () => {
    const network = await makeNetwork();
    await connect(await makeRouter(), await makeSubnet(network));
    const port = await make("ports", { network_id: network.id });
    const outside = { floating_network_id: test.sim.externalNetwork };
    const first = await make("floatingips", { ...outside, port_id: port.id });
    const second = await make("floatingips", outside);
    const put = (id: string, floatingip: object) =>
      test.ask("PUT", `/v2.0/floatingips/${id}`, { floatingip });
    expect(await put(second.id, { port_id: port.id })).toMatchObject({
      status: 409,
      body: { NeutronError: { type: "FloatingIPPortAlreadyAssociated" } },
    });
    expect((await put(first.id, { port_id: null })).body.floatingip).toMatchObject({
      ...{ port_id: null, fixed_ip_address: null, router_id: null },
      floating_ip_address: first.floating_ip_address,
    });
    expect((await put(second.id, { port_id: port.id })).status).toBe(200);
    await test.clock.advance(seconds(10));
    const inside = port.fixed_ips[0].ip_address;
    expect(test.sim.addressBehind(second.floating_ip_address)).toBe(inside);
    expect(test.sim.isReachable(first.floating_ip_address)).toBe(false);
    expect(await put(first.id, { fixed_ip_address: inside })).toMatchObject({
      status: 400,
      body: {
        NeutronError: {
          message:
            "Bad floatingip request: fixed_ip_address cannot be specified without a port_id.",
        },
      },
    });
    // The same port again changes nothing.
    expect((await put(second.id, { port_id: port.id })).body.floatingip.status).toBe("ACTIVE");
    // An empty change takes the port off.
    expect(await put(second.id, {})).toMatchObject({
      status: 200,
      body: { floatingip: { port_id: null } },
    });
  });

  it("need a router in between, and a network that is outside", async () => {
    const network = await makeNetwork();
    const subnet = await makeSubnet(network);
    const port = await make("ports", { network_id: network.id });
    const outside = test.sim.externalNetwork;
    const post = (floatingip: object) => refusal("POST", "/v2.0/floatingips", { floatingip });
    expect(await post({ floating_network_id: outside, port_id: port.id })).toEqual({
      status: 404,
      type: "ExternalGatewayForFloatingIPNotFound",
      message: `External network ${outside} is not reachable from subnet ${subnet.id}.  Therefore, cannot associate Port ${port.id} with a Floating IP.`,
    });
    expect(await post({ floating_network_id: network.id })).toMatchObject({
      status: 400,
      message: `Bad floatingip request: Network ${network.id} is not a valid external network.`,
    });
    // What was refused has taken no address.
    expect(test.sim.ledger().filter(({ kind }) => kind === "address")).toEqual([]);
  });
});

describe("name servers of a subnet", () => {
  const servers = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n + 1}`);
  it.each([
    [servers(6), "DNSNameServersExhausted", /exceeds the limit 5\.$/],
    [["192.0.2.1", "192.0.2.1"], "HTTPBadRequest", /Duplicate nameserver '192\.0\.2\.1'\.$/],
    [["fd00::1"], "InvalidInput", /'fd00::1' does not match the ip_version '4'\.$/],
  ])("are refused: %j", async (dns_nameservers, type, message) => {
    const network = await makeNetwork();
    const subnet = { network_id: network.id, ip_version: 4, cidr: "10.0.0.0/24", dns_nameservers };
    const refused = { status: 400, type, message: expect.stringMatching(message) };
    expect(await refusal("POST", "/v2.0/subnets", { subnet })).toEqual(refused);
    const { id } = await makeSubnet(network, { dns_nameservers: servers(5) });
    const change = { subnet: { dns_nameservers } };
    expect(await refusal("PUT", `/v2.0/subnets/${id}`, change)).toEqual(refused);
  });
});

describe("what no machine can have", () => {
  it("is DHCP in a prefix without room, and the addresses of a prefix itself", async () => {
    const network = await makeNetwork();
    const subnet = { network_id: network.id, ip_version: 4, cidr: "10.1.0.0/31" };
    expect(await refusal("POST", "/v2.0/subnets", { subnet })).toMatchObject({
      status: 400,
      type: "InvalidInput",
    });
    await makeSubnet(network);
    for (const ip_address of ["10.0.0.0", "10.0.0.255"]) {
      const port = { network_id: network.id, fixed_ips: [{ ip_address }] };
      expect(await refusal("POST", "/v2.0/ports", { port })).toMatchObject({
        status: 400,
        type: "InvalidIpForSubnet",
      });
    }
  });
});

describe("what all kinds have", () => {
  it.each([
    ["networks", { status: 404, type: "NetworkNotFound" }],
    ["ports", { status: 404, type: "PortNotFound" }],
  ])("a marker that is gone, which %s do not know", async (collection, refused) => {
    const path = `/v2.0/${collection}?limit=2&marker=gone`;
    expect(await refusal("GET", path)).toMatchObject(refused);
  });

  it.each([
    ["routers", 0],
    ["floatingips", 0],
    ["subnets", 2],
    ["security-groups", 1],
    ["security-group-rules", 2],
  ])("a marker that is gone, at which %s end or begin again", async (collection, length) => {
    const network = await makeNetwork();
    await makeSubnet(network);
    await makeRouter();
    await make("floatingips", { floating_network_id: test.sim.externalNetwork });
    const { body } = await test.ask("GET", `/v2.0/${collection}?limit=2&marker=gone`);
    expect(body[collection.replaceAll("-", "_")]).toHaveLength(length);
  });

  it("tags, at most 50, each once, and an error of its own where the object is not", async () => {
    const { id } = await makeNetwork();
    const tag = (of: string, tags: string[]) =>
      refusal("PUT", `/v2.0/networks/${of}/tags`, { tags });
    expect(await tag("none", ["a"])).toMatchObject({
      status: 500,
      type: "HTTPInternalServerError",
    });
    expect(await tag(id, ["a", "a"])).toMatchObject({ status: 400, type: "InvalidInput" });
    const many = Array.from({ length: 51 }, (_, n) => `t${n}`);
    expect(await tag(id, many)).toEqual({
      status: 400,
      type: "BadRequest",
      message: "Bad networks request: The number of tags exceed the per-resource limit of 50.",
    });
  });

  it("filters, fields, limit and marker, sorting", async () => {
    for (const name of ["c", "a", "b"]) await makeNetwork({ name });
    const get = async (query: string) => (await test.ask("GET", `/v2.0/networks?${query}`)).body;
    expect((await get("name=a&fields=name&fields=status")).networks).toEqual([
      { name: "a", status: "ACTIVE" },
    ]);
    expect((await get("name=a&name=b&fields=name")).networks).toHaveLength(2);
    const sorted = await get("sort_key=name&sort_dir=desc&fields=name");
    expect(sorted.networks.map(({ name }: { name: string }) => name)).toEqual([
      "public",
      "c",
      "b",
      "a",
    ]);
    const first = await get("limit=3");
    expect(first.networks).toHaveLength(3);
    const [next] = first.networks_links;
    expect(next.rel).toBe("next");
    const { pathname, search } = new URL(next.href);
    expect((await test.ask("GET", pathname + search)).body.networks).toMatchObject([{ name: "b" }]);
    expect(await refusal("GET", "/v2.0/networks?colour=red")).toMatchObject({ status: 400 });
  });

  it("tags, with their filters", async () => {
    const { id } = await makeNetwork({ name: "a" });
    const path = `/v2.0/networks/${id}/tags`;
    expect(await test.ask("PUT", path, { tags: ["x", "y"] })).toEqual({
      status: 200,
      body: { tags: ["x", "y"] },
    });
    expect(await test.ask("PUT", `${path}/z`)).toMatchObject({ status: 201 });
    expect(await test.ask("PUT", `${path}/z`)).toMatchObject({ status: 201 });
    expect(await test.ask("DELETE", `${path}/x`)).toMatchObject({ status: 204 });
    expect(await refusal("DELETE", `${path}/x`)).toMatchObject({
      status: 404,
      type: "TagNotFound",
    });
    const found = async (filter: string) =>
      (await test.ask("GET", `/v2.0/networks?${filter}`)).body.networks.length;
    expect(await found("tags=y,z")).toBe(1);
    expect(await found("tags=x,y")).toBe(0);
    expect(await found("tags-any=x,y")).toBe(1);
    expect(await found("not-tags-any=x,y")).toBe(1);
    const refused = { network: { tags: ["x"] } };
    expect(await refusal("POST", "/v2.0/networks", refused)).toMatchObject({ status: 400 });
  });

  it("revisions, on which a write may depend", async () => {
    const { id } = await makeNetwork({ name: "a" });
    const put = (revision: string) =>
      refusal(
        "PUT",
        `/v2.0/networks/${id}`,
        { network: { name: "b" } },
        {
          "if-match": revision,
        },
      );
    expect(await put("revision_number=4")).toEqual({
      status: 412,
      type: "RevisionNumberConstraintFailed",
      message: "Constrained to 4, but current revision is 0",
    });
    expect(await put("revision_number=0,revision_number=1")).toMatchObject({ status: 400 });
    const headers = { "if-match": "revision_number=0" };
    const body = { network: { name: "b" } };
    const { body: answer } = await test.ask("PUT", `/v2.0/networks/${id}`, body, headers);
    expect(answer.network).toMatchObject({ name: "b", revision_number: 1 });
  });

  it("quotas", async () => {
    test = new TestFabric({ quotas: { network: 1 } });
    await makeNetwork();
    expect(await refusal("POST", "/v2.0/networks", { network: {} })).toEqual({
      status: 409,
      type: "OverQuota",
      message: "Quota exceeded for resources: ['network'].",
    });
    const { body } = await test.ask("GET", "/v2.0/quotas/mine/details.json");
    expect(body.quota.network).toEqual({ limit: 1, used: 1, reserved: 0 });
    expect(body.quota.port.limit).toBe(-1);
  });

  it("refuses what it does not serve or understand", async () => {
    expect(await refusal("GET", "/v2.0/trunks")).toMatchObject({ status: 404 });
    expect(await refusal("POST", "/v2.0/networks", { net: {} })).toMatchObject({ status: 400 });
    expect(await refusal("POST", "/v2.0/networks")).toMatchObject({ status: 400 });
    expect(await refusal("POST", "/v2.0/subnets", { subnet: {} })).toEqual({
      status: 400,
      type: "HTTPBadRequest",
      message: "Failed to parse request. Required attribute 'network_id' not specified",
    });
  });
});
