import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addServerWithDpus } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { openSite, type Site } from "../support/site.ts";

/** The requests that documents show in blocks of `http`, sent as they stand to a site that has what they speak of. */

interface Request {
  method: string;
  path: string;
  body: unknown;
}

/** The id that stands for `{id}`, by the collection. */
type Ids = Record<string, string>;

const documents = readdirSync("docs")
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(`docs/${name}`, "utf8") }));

const blocksIn = (text: string, language: string): string[] =>
  Array.from(text.matchAll(/^```(\w*)\n(.*?)^```$/gms)).flatMap(([, of, block = ""]) =>
    of === language ? [block] : [],
  );

const requestsIn = (text: string): Request[] =>
  blocksIn(text, "http")
    .flatMap((block) => block.split(/^(?=[A-Z]+ )/m))
    .map((request) => {
      const [, method = "", path = "", body = ""] = /^([A-Z]+) (\S+)\s*(.*)$/s.exec(request) ?? [];
      return { method, path, body: JSON.parse(body) };
    });

/** A tenant's server, and a host with DPUs. */
async function withServerAndHost(site: Site): Promise<Ids> {
  await withServers(site);
  await withOverlay(site);
  const { network: virtual_network } = await networkWithSubnet(site);
  const back = { virtual_network, ipv4_cidr: "10.20.2.0/24" };
  await atRest(site, "subnets", await orderOf(site, "subnets", "shop-back", back));
  const group = await orderOf(site, "security_groups", "back", { virtual_network });
  await atRest(site, "security_groups", group);
  const { host } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const server = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", server);
  await accepted(site.admin("POST", `hosts/${host}/reprovision`));
  const hardware = {
    cpu: { cores: 32, threads_per_core: 2 },
    memory: { total_gb: 512 },
  };
  const type = { metadata: { name: "bm-large" }, spec: { description: "A large one", hardware } };
  await accepted(site.admin("POST", "bare_metal_instance_types", type));
  return { hosts: host, baremetal_instances: server, host_types: "metal-2-dpus" };
}

/** What a document speaks of and does not make. */
const worlds: Record<string, (site: Site) => Promise<Ids>> = {
  "bare-metal.md": withServerAndHost,
  "dpus.md": async (site) => {
    const type = { metadata: { name: "bf3" }, hardware: { dpus: 2 } };
    await accepted(site.admin("POST", "host_types", type));
    const spec = {
      ...{ host_type: "bf3", hub: "hub-a", dpus: 2 },
      bmc: {
        address: "redfish://10.1.0.2/redfish/v1/Systems/1",
        ...{ username: "slipway", password: "a-secret" },
      },
      nics: [{ name: "eth0", mac: "52:54:00:12:34:57", switch: "leaf-1", port: "swp49" }],
    };
    await accepted(site.admin("POST", "hosts", { metadata: { name: "rack-1-02" }, spec }));
    return {};
  },
  "hardware.md": withServerAndHost,
  "inventory.md": async () => ({ sites: "site-1" }),
  "networks.md": async () => ({}),
  "sites.md": async () => ({ sites: "site-1" }),
};

/** Those of which nothing else is made are checked by every rule, and change nothing. */
const isTried = ({ path }: Request): boolean => /(attachments|nat_gateways)$/.test(path);

/** Providers come first, and after its release a server is asked nothing. */
const turnOf = ({ path }: Request): number =>
  path.endsWith("/release") ? 2 : path.startsWith("/api/private/") ? 0 : 1;

async function accepted(asking: ReturnType<Site["api"]>) {
  const { status, body } = await asking;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const asking = documents.filter(({ text }) => requestsIn(text).length > 0);

it("are shown by documents of which a world is known", () => {
  expect(asking.map(({ name }) => name)).toEqual(Object.keys(worlds));
});

it.each(asking)("of $name are accepted", async ({ name, text }) => {
  const site = await openSite();
  const ids = (await worlds[name]?.(site)) ?? {};
  for (const request of requestsIn(text).toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const [, area, collection = "", rest = ""] =
      /^\/api\/(\w+)\/v1\/(\w+)(.*)$/.exec(request.path) ?? [];
    const path = `${collection}${rest.replace("{id}", ids[collection] ?? "")}`;
    const ask = area === "private" ? site.admin : site.api;
    const query = isTried(request) ? "?dry_run=true" : "";
    const { id } = await accepted(ask(request.method, `${path}${query}`, request.body));
    if (request.method !== "POST" || rest !== "" || isTried(request)) continue;
    ids[collection] = id;
    if (area !== "private") await atRest(site, collection, id);
  }
});

/** What is JSON and no request. */
const others: Record<string, string> = {
  "api.md": "an answer",
  "sites.md": "a file, which test/docs/first-cluster.test.ts has of three kinds, and a part of it",
};

it("stand in blocks of their own", () => {
  const withJson = documents.filter(({ text }) => blocksIn(text, "json").length > 0);
  expect(withJson.map(({ name }) => name)).toEqual(Object.keys(others));
  const plain = documents.flatMap(({ text }) => [...blocksIn(text, ""), ...blocksIn(text, "json")]);
  expect(plain.filter((block) => /^(GET|POST|PUT|PATCH|DELETE) /m.test(block))).toEqual([]);
});
