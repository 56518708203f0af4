import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addServerWithDpus } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { openSite, type Site } from "../support/site.ts";

/** The requests that documents show in blocks of `http`, sent as they stand to a site that has what they speak of. */

interface Request {
  method: string;
  path: string;
  body: unknown;
}

const documents = readdirSync("docs")
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(`docs/${name}`, "utf8") }));

const requestsIn = (text: string): Request[] =>
  Array.from(text.matchAll(/^```http\n(.*?)^```$/gms), ([, block = ""]) => block)
    .flatMap((block) => block.split(/^(?=[A-Z]+ )/m))
    .map((request) => {
      const [, method = "", path = "", body = ""] = /^([A-Z]+) (\S+)\s*(.*)$/s.exec(request) ?? [];
      return { method, path, body: JSON.parse(body) };
    });

/** A server of tenant-a on a host whose DPUs are to be installed anew; a host whose DPUs nobody has registered. */
async function worldOf(site: Site): Promise<Record<string, string>> {
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const server = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", server);
  const asked = [
    await site.admin("POST", `hosts/${host}/reprovision`),
    await site.admin("POST", "bare_metal_instance_types", {
      metadata: { name: "bm-large" },
      spec: {
        description: "A large one",
        hardware: { cpu: { cores: 32, threads_per_core: 2 }, memory: { total_gb: 512 } },
      },
    }),
    await site.admin("POST", "host_types", { metadata: { name: "bf3" }, hardware: { dpus: 2 } }),
    await site.admin("POST", "hosts", {
      metadata: { name: "rack-1-02" },
      spec: {
        ...{ host_type: "bf3", hub: "hub-a", dpus: 2 },
        bmc: {
          address: "redfish://10.1.0.2/redfish/v1/Systems/1",
          ...{ username: "slipway", password: "a-secret" },
        },
        nics: [{ name: "eth0", mac: "52:54:00:12:34:57", switch: "leaf-1", port: "swp49" }],
      },
    }),
  ];
  for (const { status, body } of asked) expect(status, JSON.stringify(body)).toBe(200);
  return { hosts: host, baremetal_instances: server };
}

it("are accepted", async () => {
  const requests = documents.flatMap(({ name, text }) =>
    requestsIn(text).map((request) => ({ ...request, name })),
  );
  expect(new Set(requests.map(({ name }) => name))).toEqual(new Set(["bare-metal.md", "dpus.md"]));
  const site = await openSite();
  const ids = await worldOf(site);
  // After its release a server is asked nothing.
  const isLast = ({ path }: Request) => path.endsWith("/release");
  for (const request of [...requests.filter((each) => !isLast(each)), ...requests.filter(isLast)]) {
    const [, area, rest = ""] = /^\/api\/(\w+)\/v1\/(.+)$/.exec(request.path) ?? [];
    const path = rest.replace(/^(\w+)\/\{id\}/, (_, kind: string) => `${kind}/${ids[kind]}`);
    const ask = area === "private" ? site.admin : site.api;
    const { status, body } = await ask(request.method, path, request.body);
    expect(status, `${request.name}: ${request.path} ${JSON.stringify(body)}`).toBe(200);
  }
});

it("stand in blocks of their own language, or of commands", () => {
  const plain = documents.flatMap(({ name, text }) =>
    Array.from(
      text.matchAll(/^```(?:json)?\n((?:GET|POST|PUT|PATCH|DELETE) .*)$/gm),
      ([, line]) => `${name}: ${line}`,
    ),
  );
  expect(plain).toEqual([]);
});
