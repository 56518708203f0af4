import { describe, expect, it } from "vitest";
import { netboxWorld } from "../../support/netbox.ts";

type World = ReturnType<typeof netboxWorld>;

async function ask(
  world: World,
  method: string,
  path: string,
  {
    body,
    headers = {},
    token = world.sim.tokens.v2,
  }: { body?: unknown; headers?: object; token?: string } = {},
) {
  const authorization = `${token.startsWith("nbt_") ? "Bearer" : "Token"} ${token}`;
  const answer = await world.sim.handle(
    new Request(`${world.url}/api/${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

function withVlans(options: Parameters<typeof netboxWorld>[0] = {}) {
  const world = netboxWorld(options);
  const { records } = world.sim;
  const group = records.add("ipam.vlangroup", {
    ...{ name: "Orders", slug: "orders", vid_ranges: [[100, 102]] },
  }).id;
  records.add("extras.tag", { name: "Slipway", slug: "slipway" });
  return { ...world, group, path: `ipam/vlan-groups/${group}/available-vlans/` };
}

describe("the simulated NetBox", () => {
  it("has no VLAN id in a group that is not the group's", async () => {
    const world = withVlans();
    const body = { vid: 200, name: "elsewhere", group: world.group };
    expect(await ask(world, "POST", "ipam/vlans/", { body })).toMatchObject({
      status: 400,
      json: { vid: ["VID must be in ranges 100-102 for VLANs in group Orders"] },
    });
  });

  it("lets tokens of both versions in, and answers 403 otherwise", async () => {
    const world = netboxWorld();
    for (const token of [world.sim.tokens.v1, world.sim.tokens.v2])
      expect((await ask(world, "GET", "dcim/devices/", { token })).status).toBe(200);
    expect(await ask(world, "GET", "dcim/devices/", { token: "nbt_a.b" })).toMatchObject({
      status: 403,
      json: { detail: "Invalid v2 token" },
    });
    const write = { token: world.sim.tokens.readOnly, body: {} };
    expect((await ask(world, "POST", "ipam/prefixes/", write)).status).toBe(403);
  });

  it("ignores an unknown filter, and refuses a wrong value of a known one", async () => {
    const world = netboxWorld();
    const all = (await ask(world, "GET", "dcim/devices/")).json.count;
    expect((await ask(world, "GET", "dcim/devices/?sadnjashdjahs=100")).json.count).toBe(all);
    expect(await ask(world, "GET", "dcim/devices/?role=nothing")).toMatchObject({
      status: 400,
      json: { role: ["Select a valid choice. nothing is not one of the available choices."] },
    });
  });

  it("answers pages with their links, and redirects a path without its slash", async () => {
    const world = netboxWorld();
    for (let n = 1; n <= 3; n++) world.rack.server({ name: `s${n}`, number: n });
    const { json } = await ask(world, "GET", "dcim/devices/?role=server&limit=2&fields=id,name");
    expect(json).toMatchObject({ count: 3, previous: null });
    expect(json.next).toContain("limit=2&fields=id%2Cname&offset=2");
    expect(Object.keys(json.results[0])).toEqual(["id", "name"]);
    expect((await ask(world, "GET", "dcim/devices")).status).toBe(302);
  });

  it("follows cables through patch panels, and says whether the whole way is in use", async () => {
    const world = netboxWorld();
    const server = world.rack.server({ name: "s1", number: 13 });
    const path = `dcim/interfaces/?device_id=${server}&name=eth0`;
    const read = async () => (await ask(world, "GET", path)).json.results[0];
    expect(await read()).toMatchObject({
      link_peers_type: "dcim.frontport",
      link_peers: [{ name: "Front 13", device: { name: "panel-a" } }],
      connected_endpoints_type: "dcim.interface",
      connected_endpoints: [{ name: "Ethernet13", device: { name: "leaf-1" } }],
      connected_endpoints_reachable: true,
    });
    world.rack.uncable(server);
    expect(await read()).toMatchObject({
      link_peers_type: "dcim.frontport",
      connected_endpoints: null,
      connected_endpoints_reachable: false,
    });
  });

  it("gives out the lowest free VLAN ids, all or none, and each name once", async () => {
    const world = withVlans();
    const tags = [{ slug: "slipway" }];
    const post = (body: unknown) => ask(world, "POST", world.path, { body });
    expect(await post({ name: "one", tags })).toMatchObject({ status: 201, json: { vid: 100 } });
    expect(await post({ name: "one" })).toMatchObject({
      status: 400,
      json: { non_field_errors: ["The fields group, name must make a unique set."] },
    });
    expect(await post([{ name: "two" }, { name: "three" }, { name: "four" }])).toMatchObject({
      status: 409,
      json: { detail: "Insufficient resources are available to satisfy the request" },
    });
    const two = await post([{ name: "two" }, { name: "three" }]);
    expect(two.json.map(({ vid }: { vid: number }) => vid)).toEqual([101, 102]);
    expect(await post({ name: "five", tags: [{ slug: "unknown" }] })).toMatchObject({
      status: 409,
    });
  });

  it("refuses tags and custom fields that are not defined", async () => {
    const world = withVlans({ version: 4.7 });
    const post = (body: unknown) => ask(world, "POST", world.path, { body });
    expect(await post({ name: "one", tags: [{ slug: "unknown" }] })).toMatchObject({
      status: 400,
      json: {
        tags: ["Related object not found using the provided attributes: {'slug': 'unknown'}"],
      },
    });
    expect(await post({ name: "one", custom_fields: { owner: "me" } })).toMatchObject({
      status: 400,
      json: {
        custom_fields: { owner: ["Custom field 'owner' does not exist for this object type."] },
      },
    });
  });

  it("gives out the first prefix of a length that lies between others", async () => {
    const world = netboxWorld();
    const { records } = world.sim;
    const fields = { status: "active", description: "", tags: [], custom_fields: {}, vlan: null };
    const parent = records.add("ipam.prefix", { ...fields, prefix: "10.64.0.0/22" }).id;
    records.add("ipam.prefix", { ...fields, prefix: "10.64.0.0/25" });
    const path = `ipam/prefixes/${parent}/available-prefixes/`;
    const post = (prefix_length: unknown) => ask(world, "POST", path, { body: { prefix_length } });
    expect((await post(24)).json.prefix).toBe("10.64.1.0/24");
    expect((await post(25)).json.prefix).toBe("10.64.0.128/25");
    expect((await post(23)).json.prefix).toBe("10.64.2.0/23");
    expect((await post(26)).status).toBe(409);
    expect((await post("24")).json).toEqual({ prefix_length: "this field must be int type" });
  });

  it.each([
    [4.5, 200, null],
    [4.6, 412, "Precondition failed."],
  ] as const)(
    "of version %s answers %i to a change of what has changed",
    async (version, status, said) => {
      const world = withVlans({ version });
      const { json, headers } = await ask(world, "POST", world.path, { body: { name: "one" } });
      const path = `ipam/vlans/${json.id}/`;
      const etag = headers.get("etag") ?? 'W/"old"';
      await world.clock.advance(1000);
      await ask(world, "PATCH", path, { body: { name: "two" } });
      const late = await ask(world, "PATCH", path, {
        body: { name: "three" },
        headers: { "if-match": etag },
      });
      expect(late.status).toBe(status);
      if (said !== null) expect(late.json.detail).toBe(said);
    },
  );

  it("deletes no VLAN that a prefix is in", async () => {
    const world = withVlans();
    const { json } = await ask(world, "POST", world.path, { body: { name: "one" } });
    const body = { prefix: "10.0.0.0/24", vlan: json.id };
    const prefix = (await ask(world, "POST", "ipam/prefixes/", { body })).json.id;
    expect(await ask(world, "DELETE", `ipam/vlans/${json.id}/`)).toMatchObject({
      status: 409,
      json: {
        detail: `Unable to delete object. 1 dependent objects were found: 10.0.0.0/24 (${prefix})`,
      },
    });
    await ask(world, "DELETE", `ipam/prefixes/${prefix}/`);
    expect((await ask(world, "DELETE", `ipam/vlans/${json.id}/`)).status).toBe(204);
    expect((await ask(world, "DELETE", `ipam/vlans/${json.id}/`)).status).toBe(404);
  });

  it("loses an answer after the effect, and refuses before it, where a fault says so", async () => {
    const world = withVlans();
    world.faults.add({ target: "inventory", operation: "POST", fault: "crash_after" });
    world.faults.add({ target: "inventory", operation: "POST", fault: "error", status: 502 });
    await expect(ask(world, "POST", world.path, { body: { name: "one" } })).rejects.toThrow(
      "fetch failed",
    );
    expect((await ask(world, "POST", world.path, { body: { name: "two" } })).status).toBe(502);
    const { json } = await ask(world, "GET", "ipam/vlans/");
    expect(json.results.map(({ name }: { name: string }) => name)).toEqual(["one"]);
  });
});
