import { expect, it } from "vitest";
import { importInventory } from "../../cli/import-inventory.ts";
import { openSite, type Site } from "../support/site.ts";

const file = (port: string, switchName = "leaf-a1") => `hosts:
  - name: spare-1
    host_type: fc430
    hub: hub-a
    bmc: {address: "redfish://192.168.1.99/redfish/v1/Systems/1"}
    nics: [{name: eno1, mac: "52:54:00:ff:00:01", switch: ${switchName}, port: "${port}"}]
  - name: spare-2
    host_type: nothing-like-it
    hub: hub-a
    bmc: {address: "redfish://192.168.1.98/redfish/v1/Systems/1"}
    nics: [{name: eno1, mac: "52:54:00:ff:00:02", switch: leaf-a1, port: "Ethernet1/41"}]
`;

/** The private API of a site, as an administrator reaches it. */
const apiOf = (site: Site) => ({
  url: "https://slipway",
  token: "unused",
  fetch: async (url: string, init: RequestInit) => {
    const path = url.replace("https://slipway/api/private/v1/", "");
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    const answer = await site.admin(init.method ?? "GET", path, body);
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  },
});

it("hosts of a file come into the inventory, once, and are changed when the file changes", async () => {
  const site = await openSite();
  const api = apiOf(site);
  const [first, second] = await importInventory(file("Ethernet1/40"), api);
  expect(first).toEqual({ name: "spare-1", outcome: "created" });
  expect(second).toMatchObject({ name: "spare-2", outcome: "refused" });
  expect(second?.message).toContain("host_type");
  expect((await importInventory(file("Ethernet1/40"), api))[0]).toEqual({
    name: "spare-1",
    outcome: "unchanged",
  });
  expect((await importInventory(file("Ethernet1/44"), api))[0]).toEqual({
    name: "spare-1",
    outcome: "updated",
  });
  const { body } = await site.admin(
    "GET",
    `hosts?filter=${encodeURIComponent('this.metadata.name == "spare-1"')}`,
  );
  expect(body.items).toHaveLength(1);
  expect(body.items[0].spec.nics[0].port).toBe("Ethernet1/44");
});

it("a file that is wrong sends nothing and names the line", async () => {
  const never = {
    url: "https://slipway",
    token: "unused",
    fetch: () => Promise.reject(new Error("sent")),
  };
  await expect(importInventory(file("").replace("mac: ", "mag: "), never)).rejects.toMatchObject({
    kind: "Invalid",
    message: expect.stringContaining("line 6"),
  });
});
