import { beforeEach, describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import type { Fabric } from "../../../../../core/ports/fabric/fabric.ts";
import { neutronApi } from "../../../../../core/ports/fabric/neutron/neutron.ts";
import { cloud, layer3, links, order, TestFabric } from "../../../../support/fabric.ts";

/** The exact requests that the adapter makes, as the real system's documentation asks for them. */

let test: TestFabric;
let fabric: Fabric;
let external: string;

beforeEach(() => {
  test = new TestFabric();
  fabric = test.fabric;
  external = test.sim.externalNetwork;
});

/** What a call asks of the cloud, without its login. */
async function askedBy(call: () => Promise<unknown>) {
  test.asked.length = 0;
  await test.run(call());
  return test.asked
    .filter(({ path }) => path !== "/v3/auth/tokens")
    .map(({ method, path, body }) => (body === undefined ? [method, path] : [method, path, body]));
}

const idOf = (kind: "network" | "subnet" | "router" | "port" | "floatingip", n = 0): string => {
  const ours = test.sim.state.records.all(kind).filter(({ description }) => description !== "");
  const found = ours[n];
  if (!found) throw new Error(`there is no ${kind} ${n}`);
  return found.id;
};

const described = (name: string) =>
  `${name} slipway.dev/cluster=${order.id} slipway.dev/tenant=tenant-a`;
const tags = [`slipway.dev/cluster=${order.id}`, "slipway.dev/tenant=tenant-a"];
const name = "slipway-abcdefghij";
const list = (collection: string, filter: string) =>
  ["GET", `/v2.0/${collection}?${filter}&limit=200`] as const;

it("makes a VLAN network with the claimed id, then tags it", async () => {
  expect(await askedBy(() => fabric.ensureLayer2(order, 120))).toEqual([
    list("networks", `name=${name}`),
    [
      "POST",
      "/v2.0/networks",
      {
        network: {
          name,
          description: described(name),
          admin_state_up: true,
          shared: false,
          "provider:network_type": "vlan",
          "provider:physical_network": "physnet1",
          "provider:segmentation_id": 120,
        },
      },
    ],
    ["PUT", `/v2.0/networks/${idOf("network")}/tags`, { tags }],
  ]);
});

it("makes a subnet without DHCP where another server gives the addresses", async () => {
  await test.run(fabric.ensureLayer2(order, 120));
  const asked = await askedBy(() => fabric.ensureLayer3(order, { ...layer3, hasDhcp: false }));
  const [, , body] =
    asked.find(([method, path]) => `${method} ${path}` === "POST /v2.0/subnets") ?? [];
  expect(body).toMatchObject({ subnet: { enable_dhcp: false } });
});

it("makes a subnet with DHCP, a router with a gateway, and connects them", async () => {
  await test.run(fabric.ensureLayer2(order, 120));
  const asked = await askedBy(() => fabric.ensureLayer3(order, layer3));
  const network = idOf("network");
  const subnet = idOf("subnet");
  const router = idOf("router");
  expect(asked).toEqual([
    list("subnets", `name=${name}`),
    list("networks", `name=${name}`),
    [
      "POST",
      "/v2.0/subnets",
      {
        subnet: {
          network_id: network,
          name,
          description: described(name),
          ip_version: 4,
          cidr: "10.0.3.0/26",
          gateway_ip: "10.0.3.1",
          enable_dhcp: true,
          allocation_pools: [{ start: "10.0.3.10", end: "10.0.3.62" }],
          dns_nameservers: ["192.0.2.53"],
        },
      },
    ],
    ["PUT", `/v2.0/subnets/${subnet}/tags`, { tags }],
    list("ports", `network_id=${network}`),
    list("routers", `name=${name}`),
    [
      "POST",
      "/v2.0/routers",
      {
        router: {
          name,
          description: described(name),
          external_gateway_info: { network_id: external },
        },
      },
    ],
    ["PUT", `/v2.0/routers/${router}/tags`, { tags }],
    ["PUT", `/v2.0/routers/${router}/add_router_interface`, { subnet_id: subnet }],
    list("ports", `network_id=${network}`),
  ]);
});

describe("on a network", () => {
  beforeEach(async () => {
    await test.run(fabric.ensureLayer2(order, 120));
    await test.run(fabric.ensureLayer3(order, layer3));
  });

  const [link] = links;
  const binding = {
    "binding:vnic_type": "baremetal",
    "binding:host_id": "host-1",
    "binding:profile": {
      local_link_information: [{ switch_info: "leaf-a1", port_id: "Ethernet1/1" }],
    },
  };

  it("binds a host's port with the three attributes that Ironic writes", async () => {
    const asked = await askedBy(() => fabric.ensureAttachments(order, link ? [link] : []));
    expect(asked).toEqual([
      list("subnets", `name=${name}`),
      list("ports", `network_id=${idOf("network")}`),
      [
        "POST",
        "/v2.0/ports",
        {
          port: {
            network_id: idOf("network"),
            name: `${name}-host-1-525400000101`,
            description: described(`${name}-host-1-525400000101`),
            mac_address: "52:54:00:00:01:01",
            admin_state_up: true,
            fixed_ips: [{ subnet_id: idOf("subnet") }],
            port_security_enabled: false,
            security_groups: [],
            ...binding,
          },
        },
      ],
      ["PUT", `/v2.0/ports/${idOf("port")}/tags`, { tags }],
    ]);
  });

  it("says nothing of port security to a Neutron without that extension", async () => {
    test.intercept = async (_, answer) => {
      const response = await answer();
      const text = (await response.text()).replaceAll(/"port_security_enabled":(true|false),/g, "");
      return new Response(text, { status: response.status, headers: response.headers });
    };
    const asked = await askedBy(() => fabric.ensureAttachments(order, link ? [link] : []));
    expect(asked.map(([method]) => method)).toContain("POST");
    expect(JSON.stringify(asked)).not.toContain("security");
  });

  it("names a switch by its MAC address where the inventory has that", async () => {
    const bySwitchId = link && { ...link, switch: "aa:bb:cc:00:00:01" };
    const asked = await askedBy(() =>
      fabric.ensureAttachments(order, bySwitchId ? [bySwitchId] : []),
    );
    const [, , post] = asked;
    expect(post?.[2]).toMatchObject({
      port: {
        "binding:profile": {
          local_link_information: [{ switch_id: "aa:bb:cc:00:00:01", port_id: "Ethernet1/1" }],
        },
      },
    });
  });

  it("writes a failed binding once more, because any write tries again", async () => {
    const wrong = link && { ...link, port: "Ethernet9/9" };
    const asked = await askedBy(() => fabric.ensureAttachments(order, wrong ? [wrong] : []));
    expect(asked.slice(3)).toEqual([
      ["PUT", `/v2.0/ports/${idOf("port")}/tags`, { tags }],
      [
        "PUT",
        `/v2.0/ports/${idOf("port")}`,
        {
          port: {
            ...binding,
            "binding:profile": {
              local_link_information: [{ switch_info: "leaf-a1", port_id: "Ethernet9/9" }],
            },
          },
        },
      ],
    ]);
  });

  it("leaves a port that is up alone", async () => {
    await test.run(fabric.ensureAttachments(order, links));
    await test.clock.advance(minutes(2));
    const asked = await askedBy(() => fabric.ensureAttachments(order, links));
    expect(asked.filter(([method]) => method !== "GET")).toEqual([]);
  });

  it("holds an address inside with an unbound port and leads a floating IP to it", async () => {
    const asked = await askedBy(() =>
      fabric.ensureFloatingIp(order, { use: "api", internal: "10.0.3.2" }),
    );
    const description = described(`${name}-api`);
    const filter = ["api", "ingress"]
      .map((use) => `description=${described(`${name}-${use}`).replaceAll(" ", "+")}`)
      .join("&");
    expect(asked).toEqual([
      list("subnets", `name=${name}`),
      list("ports", `network_id=${idOf("network")}`),
      [
        "POST",
        "/v2.0/ports",
        {
          port: {
            network_id: idOf("network"),
            name: `${name}-api`,
            description,
            admin_state_up: true,
            fixed_ips: [{ subnet_id: idOf("subnet"), ip_address: "10.0.3.2" }],
            port_security_enabled: false,
            security_groups: [],
          },
        },
      ],
      ["PUT", `/v2.0/ports/${idOf("port")}/tags`, { tags }],
      list("floatingips", filter),
      [
        "POST",
        "/v2.0/floatingips",
        {
          floatingip: {
            floating_network_id: external,
            port_id: idOf("port"),
            fixed_ip_address: "10.0.3.2",
            description,
          },
        },
      ],
      ["PUT", `/v2.0/floatingips/${idOf("floatingip")}/tags`, { tags }],
    ]);
  });
});

it("removes in the order in which the fabric lets go", async () => {
  await test.createAll();
  const [router, subnet, network] = [idOf("router"), idOf("subnet"), idOf("network")];
  // What was made in the same second comes in the order of its ids.
  const hosts = [0, 1, 2].map((n) => idOf("port", n)).toSorted();
  const holders = [3, 4].map((n) => idOf("port", n)).toSorted();
  const floating = [0, 1].map((n) => idOf("floatingip", n)).toSorted();
  const asked = await askedBy(() => test.removeAll());
  const remove = (collection: string, id: string) => ["DELETE", `/v2.0/${collection}/${id}`];
  expect(asked.filter(([method]) => method !== "GET")).toEqual([
    ...floating.map((id) => remove("floatingips", id)),
    ...holders.map((id) => remove("ports", id)),
    ...hosts.map((id) => remove("ports", id)),
    ["PUT", `/v2.0/routers/${router}/remove_router_interface`, { subnet_id: subnet }],
    remove("routers", router),
    remove("subnets", subnet),
    remove("networks", network),
  ]);
});

it("looks a name up again after a create whose answer was lost, and makes no second one", async () => {
  test.faults.add({ target: "fabric", operation: "POST /v2.0/networks", fault: "crash_after" });
  const asked = await askedBy(() => fabric.ensureLayer2(order, 120));
  expect(asked.map(([method, path]) => `${method} ${String(path).split("?")[0]}`)).toEqual([
    "GET /v2.0/networks",
    "POST /v2.0/networks",
    "GET /v2.0/networks",
    `PUT /v2.0/networks/${idOf("network")}/tags`,
  ]);
});

it("follows the pages of a list by their marker", async () => {
  test = new TestFabric({ maxPage: 2 });
  fabric = test.fabric;
  await test.createAll();
  await test.clock.advance(minutes(2));
  const asked = await askedBy(() => fabric.observe(order));
  const markers = asked.filter(([, path]) => /^\/v2.0\/ports\?.*&marker=/.test(String(path)));
  expect(markers.length).toBeGreaterThanOrEqual(3);
  const { attachments, remaining } = await test.run(fabric.observe(order));
  expect(attachments).toHaveLength(3);
  expect(remaining).toHaveLength(10);
});

describe("a list whose marker is removed between two pages", () => {
  it.each([
    ["ports", "port"],
    ["routers", "router"],
    ["floatingips", "floatingip"],
    ["subnets", "subnet"],
  ] as const)("is read again: %s", async (collection, kind) => {
    test = new TestFabric({ maxPage: 2 });
    fabric = test.fabric;
    for (let n = 0; n < 3; n++) {
      const { body } = await test.ask("POST", "/v2.0/networks", { network: { name: `n${n}` } });
      const network_id = body.network.id;
      const cidr = `10.9.${n}.0/24`;
      await test.ask("POST", "/v2.0/subnets", { subnet: { network_id, ip_version: 4, cidr } });
      if (kind === "port") await test.ask("POST", "/v2.0/ports", { port: { network_id } });
      await test.ask("POST", "/v2.0/routers", { router: {} });
      await test.ask("POST", "/v2.0/floatingips", {
        floatingip: { floating_network_id: external },
      });
    }
    let last: string | undefined;
    test.intercept = async ({ method, path }, answer) => {
      if (method === "GET" && path.startsWith(`/v2.0/${collection}?`) && path.includes("marker=")) {
        const marker = new URL(path, "http://cloud.test").searchParams.get("marker") ?? "";
        if (last === undefined) await test.ask("DELETE", `/v2.0/${collection}/${marker}`);
        last ??= marker;
      }
      return answer();
    };
    const api = neutronApi({
      authUrl: cloud,
      credential: async () => test.sim.keystone.credential,
      wall: test.clock,
      fetch: test.fetch,
    });
    const found = await test.run(api.list(collection));
    const there = test.sim.state.records.all(kind).map(({ id }) => id);
    expect(last, "one was removed").toBeDefined();
    expect(there).not.toContain(last);
    expect(found.map(({ id }) => id).sort()).toEqual(there.sort());
  });
});

it("compares names itself, because a server may not know the filter", async () => {
  const body = { network: { name: "somebody-else", "provider:segmentation_id": 300 } };
  const provider = { "provider:physical_network": "physnet1" };
  await test.ask("POST", "/v2.0/networks", { network: { ...body.network, ...provider } });
  test.intercept = async ({ method, path }, answer) => {
    if (method !== "GET" || !path.startsWith("/v2.0/networks")) return answer();
    return Response.json({ networks: (await test.ask("GET", "/v2.0/networks")).body.networks });
  };
  await test.run(fabric.ensureLayer2(order, 120));
  const seen = await test.run(fabric.observe(order));
  expect(seen.vlan).toBe(120);
  await test.run(fabric.removeLayer2(order));
  expect(test.sim.state.records.all("network").map((network) => network.name)).toEqual([
    "public",
    "somebody-else",
  ]);
});

it("compares descriptions of floating IPs itself, too", async () => {
  const foreign = { floating_network_id: external, description: "somebody else's" };
  await test.ask("POST", "/v2.0/floatingips", { floatingip: foreign });
  test.intercept = async ({ method, path }, answer) => {
    if (method !== "GET" || !path.startsWith("/v2.0/floatingips")) return answer();
    return Response.json((await test.ask("GET", "/v2.0/floatingips")).body);
  };
  await test.createAll();
  await test.removeAll();
  const left = test.sim.state.records.all("floatingip");
  expect(left.map(({ description }) => description)).toEqual(["somebody else's"]);
});

it("says that it does not know where a policy hides how a port is bound", async () => {
  await test.createAll();
  test.intercept = async (_, answer) => {
    const response = await answer();
    const text = (await response.text()).replaceAll("binding:vif_type", "hidden");
    return new Response(text || null, response);
  };
  const { attachments } = await test.run(fabric.observe(order));
  expect(attachments.map(({ state }) => state)).toEqual(["unknown", "unknown", "unknown"]);
});
