import { globSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { watchStream } from "../../../agent/watch-stream.ts";
import {
  type AdapterOptions,
  allocators,
  bareMetalServices,
  dhcpServers,
  dnsServices,
  fabrics,
  inventories,
  storages,
} from "../../../core/at-site/adapters.ts";
import { ask } from "../../../core/http.ts";
import { answerLimit } from "../../../core/http-body.ts";
import { RedfishServer } from "../../../core/ports/bare-metal/redfish/redfish.ts";
import { KubernetesGuest } from "../../../core/ports/guest/kubernetes/kubernetes.ts";
import { HubApi } from "../../../core/ports/kubernetes/api.ts";
import { PooledConfig } from "../../../core/ports/kubernetes/connection.ts";
import { httpsTransport } from "../../../core/ports/webhook/https.ts";
import { IssuerKeys } from "../../../functions/identity/keys.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** No system outside fills our memory: what each adapter does at a server that answers without an end. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let url: string;
let answer: Answer;
/** Bytes that the server could send before its reader closed the connection. */
let sent = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    // No test is answered over the connection of another.
    response.setHeader("connection", "close");
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  sent = 0;
});
afterAll(() => server.close());

const chunk = Buffer.alloc(256 * 1024, " ");

/** JSON that never ends. */
const endless: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) return void response.once("drain", more);
    }
  };
  more();
};

const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "));

/** 100 MB of spaces in 100 KB. */
const compressed: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  response.end(bomb);
};

/** Its headers and one byte, and then nothing for good. */
const dripping: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(" ");
  sent += 1;
};

type Wall = AdapterOptions["wall"];
type Call = (wall: Wall) => Promise<unknown>;

const secret = async () => "secret";
const zone = "example.com";

/** A call for each row of the tables of adapters: the compiler asks for it. */
const calls = {
  fabric: {
    neutron: async (wall) => {
      const spec = { provider: "neutron", auth_url: url, credential_id: "id" } as const;
      const networks = { physical_network: "physnet", external_network: "public" };
      const { fabric } = await fabrics.neutron.open({ ...spec, ...networks }, { wall, secret });
      return fabric.observeAll();
    },
  } satisfies Record<keyof typeof fabrics, Call>,
  dhcp: {
    kea: async (wall) => {
      const spec = { provider: "kea", url, username: "slipway" } as const;
      return (await dhcpServers.kea.open(spec, { wall, secret })).observeAll();
    },
  } satisfies Record<keyof typeof dhcpServers, Call>,
  bare_metal: {
    ironic: async (wall) => {
      const spec = { provider: "ironic", url, username: "slipway" } as const;
      return (await bareMetalServices.ironic.open(spec, { wall, secret })).server("node").observe();
    },
  } satisfies Record<keyof typeof bareMetalServices, Call>,
  dns: {
    powerdns: async (wall) => {
      const spec = { provider: "powerdns", url, zone, servers: ["127.0.0.1"] } as const;
      const servers = [...spec.servers];
      return (await dnsServices.powerdns.open({ ...spec, servers }, { wall, secret })).observeAll(
        () => undefined,
      );
    },
    // The SDK of AWS reads its answers by itself.
    route53: undefined,
  } satisfies Record<keyof typeof dnsServices, Call | undefined>,
  storage: {
    ceph: async (wall) => {
      const spec = { provider: "ceph", url, pool: "rbd", username: "slipway" } as const;
      return (await storages.ceph.open(spec, { wall, secret })).observeAll();
    },
  } satisfies Record<keyof typeof storages, Call>,
  inventory: {
    netbox: async (wall) => {
      const spec = { provider: "netbox", url, hub: "hub-1", host_types: {} } as const;
      const bmc = { bmc: "redfish+https://{address}" };
      const inventory = await inventories.netbox.open({ ...spec, ...bmc }, { wall, secret });
      return inventory.read()[Symbol.asyncIterator]().next();
    },
  } satisfies Record<keyof typeof inventories, Call>,
  allocator: {
    netbox: async (wall) => {
      const spec = { provider: "netbox", url, given_out_by: "netbox" } as const;
      const ids = { vlan_group: 1, prefix: 1, ip_range: 1 };
      const { lacks } = await allocators.netbox.open({ ...spec, ...ids }, { wall, secret });
      const network = {
        vlans: { first: 100, last: 199 },
        prefixes: { cidr: "10.0.0.0/16", length: 26 },
        floating_ips: { first: "192.0.2.1", last: "192.0.2.9" },
      };
      const pool = { name: "p", first: 1, size: 2, rest: 0 };
      return lacks({ vlans: pool, prefixes: pool, floating_ips: pool } as never, network as never);
    },
  } satisfies Record<keyof typeof allocators, Call>,
  /** What no table has. */
  others: {
    redfish: (wall) => {
      const credential = async () => ({ username: "slipway", password: "secret" });
      const options = { credential, authentication: "basic", wall, timeout: 20_000 } as const;
      return new RedfishServer({
        ...options,
        address: `redfish+${url}/redfish/v1/Systems/1`,
      }).observe();
    },
    "a hub": (wall) => hub(wall).version(),
    "a list of a hub": (wall) => hub(wall).list(agents),
    "the hosted cluster": (wall) =>
      new KubernetesGuest({ connection: { server: url }, wall }).observeOperators(),
    "keys of an issuer": (wall) => new IssuerKeys({ issuer: url, wall }).find({ kid: "a" }, never),
    home: (wall) => ask({ system: "home", url, wall, timeout: 1000 }, { method: "GET", path: "/" }),
  } satisfies Record<string, Call>,
};

const never = { payload: "", signature: "" };
const agents = {
  group: "agent-install.openshift.io",
  version: "v1beta1",
  plural: "agents",
  kind: "Agent",
};
const hub = (wall: Wall) => new HubApi({ connection: { server: url }, wall, timeout: 10_000 });

const walked = Object.entries(calls).flatMap(([port, rows]) =>
  Object.entries<Call | undefined>(rows).flatMap(([name, call]) =>
    call ? [[`${port}: ${name}`, call] as const] : [],
  ),
);

const tooLarge = {
  kind: "Unavailable",
  message: expect.stringMatching(/^the answer of .+ has more than (10|64) MB$/),
  // The call, for the log.
  detail: expect.stringMatching(/./),
};

/** What is in flight when a reader closes the connection: buffers of both sockets. */
const inFlight = 16 * 1024 * 1024;
const largest = 64 * 1024 * 1024;

it.each(walked)("%s stops reading an answer without an end", async (_, call) => {
  answer = endless;
  const refused = await call(new VirtualClock()).catch((error: unknown) => error);
  expect(refused).toMatchObject(tooLarge);
  expect(sent).toBeGreaterThan(answerLimit);
  expect(sent).toBeLessThan(largest + inFlight);
});

it.each(walked)("%s counts what an answer has once it is decompressed", async (_, call) => {
  answer = compressed;
  const refused = await call(new VirtualClock()).catch((error: unknown) => error);
  expect(refused).toMatchObject(tooLarge);
});

it.each(walked)(
  "%s waits no longer for a body that drips than for one that does not come",
  async (_, call) => {
    answer = dripping;
    const wall = new VirtualClock();
    let refused: unknown;
    const asked = call(wall).catch((error: unknown) => {
      refused = error;
    });
    while (sent === 0) await new Promise((turn) => setTimeout(turn, 1));
    await wall.advance(60_000);
    await asked;
    expect(refused).toMatchObject({ kind: "Unavailable" });
  },
);

it("a list of a hub whose pages never end is given up", { tags: "smoke" }, async () => {
  let asked = 0;
  answer = (_, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json");
    const metadata = { continue: "more", resourceVersion: "1" };
    response.end(JSON.stringify({ metadata, items: [] }));
  };
  await expect(calls.others["a list of a hub"](new VirtualClock())).rejects.toMatchObject({
    kind: "Unavailable",
    message: "the list of agents of the hub has more than 200 pages",
  });
  expect(asked).toBe(200);
});

it.each<[string, (page: number) => string]>([
  ["leads to itself", () => "/redfish/v1/Systems/1/Storage"],
  ["has always one more page", (page) => `/redfish/v1/Systems/1/Storage?page=${page}`],
])("a list of a controller that %s is given up", async (_, next) => {
  let pages = 0;
  answer = ({ url: path = "" }, response) => {
    const isList = path.startsWith("/redfish/v1/Systems/1/Storage");
    if (isList) pages += 1;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(
        isList
          ? // An end, for a reader that has none.
            { Members: [], ...(pages < 1000 && { "Members@odata.nextLink": next(pages) }) }
          : { "@odata.id": path, Storage: { "@odata.id": "/redfish/v1/Systems/1/Storage" } },
      ),
    );
  };
  const options = { authentication: "basic", wall: new VirtualClock(), timeout: 20_000 } as const;
  const server = new RedfishServer({
    ...options,
    credential: async () => ({ username: "slipway", password: "secret" }),
    address: `redfish+${url}/redfish/v1/Systems/1`,
  });
  const refused = await server.drives.list().catch((error: unknown) => error);
  expect(refused).toMatchObject({
    kind: "Unavailable",
    message: expect.stringMatching(/list .*Storage of the server's controller has more than 200/),
  });
  expect(pages).toBe(200);
});

it("a watch of a hub is refused a line without an end, and reads one line after the other", async () => {
  const config = new PooledConfig({ server: url });
  const watch = () => watchStream(config, new URL(url), new AbortController().signal);
  answer = endless;
  await expect(async () => {
    for await (const _ of watch());
  }).rejects.toThrow("has more than 10 MB");
  const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "1" } } };
  answer = (_, response) => response.end(`${JSON.stringify(bookmark)}\n`.repeat(200_000));
  let read = 0;
  for await (const { type } of watch()) if (type === "BOOKMARK") read += 1;
  expect(read).toBe(200_000);
  await config.close();
});

it("a receiver of webhooks is read to its first kilobyte", { tags: "smoke" }, async () => {
  answer = endless;
  const transport = httpsTransport({ wall: new VirtualClock(), loopback: true });
  const { text } = await transport.post(url, { headers: {}, body: "{}" });
  expect(text).toHaveLength(1024);
  expect(sent).toBeLessThan(inFlight);
});

it("an answer of exactly the limit is read", { tags: "smoke" }, async () => {
  answer = (_, response) => response.end(`"${"a".repeat(answerLimit - 2)}"`);
  const http = { system: "home", url, wall: new VirtualClock(), timeout: 1000 };
  expect((await ask(http, { method: "GET", path: "/" })).text).toHaveLength(answerLimit);
});

it("nothing else in the product sends requests, so that no reader forgets the limit", {
  tags: "smoke",
}, () => {
  const sends = /from "(undici|node:https?|node:http2)"|(?<![.\w])fetch\(|globalThis\.fetch\b/;
  const senders = globSync("{core,functions,agent}/**/*.ts").filter((file) =>
    sends.test(readFileSync(file, "utf8")),
  );
  expect(senders.toSorted()).toEqual([
    // It serves, and asks nobody.
    "agent/health.ts",
    "core/http.ts",
    "core/ports/bare-metal/pinned.ts",
    "core/ports/kubernetes/connection.ts",
    "core/ports/webhook/https.ts",
  ]);
});
