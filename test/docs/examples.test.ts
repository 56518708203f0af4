import { beforeAll, describe, expect, it } from "vitest";
import { sharedDev } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";
import { operations } from "../support/fuzz/document.ts";

/** The examples that the reference shows, in the world that they speak of. */

const dev = sharedDev();

// What is listed of one object asks for its id.
const shown = operations.filter(
  ({ id, path }) => /\.(list|create)$/.test(id) && !path.includes("{"),
);

/** What lists have to be asked for. */
const asked: Record<string, string> = {
  audit_entry: "?tenant=tenant-a",
  owner: "?kind=vlan&value=107",
};

/** What of an example takes minutes here: nothing else is wrong with it. */
const absent: Record<string, string[]> = {
  external_ip_attachment: ["spec.cluster", "spec.external_ip"],
  baremetal_instance: ["spec.network_attachments[0].subnet"],
};

describe("the reference", () => {
  // What examples speak of that nobody has seeded.
  beforeAll(async () => {
    await dev().api("POST", "projects", { metadata: { name: "web" } });
    await dev().admin("POST", "roles", {
      metadata: { name: "support" },
      spec: { grants: "tenant-user" },
    });
    await dev().api("POST", "external_ips", {
      metadata: { name: "egress" },
      spec: { pool: "outside" },
    });
    await dev().admin("POST", "host_types", {
      metadata: { name: "bf3" },
      hardware: { dpus: 2 },
    });
    await dev().admin("POST", "hosts", {
      metadata: { name: "rack-1-02" },
      spec: {
        ...{ host_type: "bf3", hub: "hub-a", dpus: 2 },
        bmc: {
          address: "redfish://10.1.0.2/redfish/v1/Systems/1",
          ...{ username: "slipway", password: "a-secret" },
        },
        nics: [{ name: "eth0", mac: "52:54:00:12:34:57", switch: "leaf-1", port: "swp49" }],
      },
    });
    const { body } = await dev().api("POST", "virtual_networks", {
      metadata: { name: "shop" },
      spec: { ipv4_cidr: "10.20.0.0/16" },
    });
    await eventually(async () => {
      const network = await dev().api("GET", `virtual_networks/${body.id}`);
      expect(network.body.status.state).toBe("VIRTUAL_NETWORK_STATE_READY");
    });
  });

  it.each(shown)("has an example for $id that is accepted", async (operation) => {
    const { api, tokens } = dev().dev;
    const { id, method, path, description, example } = operation;
    // Nothing is left behind.
    const query = id.endsWith(".create") ? "?dry_run=true" : (asked[id.split(".")[1] ?? ""] ?? "");
    const token = description.includes("tenant-admin") ? tokens["tenant-a"] : tokens.admin;
    const answer = await fetch(api + path + query, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(example === undefined ? {} : { body: JSON.stringify(example) }),
    });
    const text = await answer.text();
    const [missing] = Object.keys(absent).filter((kind) => id.includes(`.${kind}.create`));
    if (missing !== undefined) {
      const { errors } = JSON.parse(text);
      const fields = errors.map(({ field }: { field: string }) => field);
      return expect(fields.toSorted()).toEqual(absent[missing]);
    }
    expect(answer.status, text).toBe(200);
  });
});
