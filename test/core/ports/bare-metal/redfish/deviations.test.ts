import { describe, expect, it } from "vitest";
import { preconditionsOf } from "../../../../../core/ports/bare-metal/redfish/entity-tag.ts";
import { answering } from "./fixture.ts";

/** What controllers do otherwise than most, by reports of their users. */

const at = (path: string) => ({ "@odata.id": path });
const system = "/redfish/v1/Systems/System.Embedded.1";
const media = "/redfish/v1/Systems/System.Embedded.1/VirtualMedia";

describe("a redirect", () => {
  const redirecting = (to: (path: string) => string | undefined, status = 308) => {
    const answered = answering((_, path) => {
      const location = to(path);
      return location === undefined
        ? undefined
        : new Response(null, { status, headers: { location } });
    });
    return { ...answered, observe: () => answered.run(answered.server.observe()) };
  };

  it.each([
    `${system}/`,
    `https://bmc.test${system}/`,
    `https://BMC.test:443${system}/?a=b`,
    "System.Embedded.1/",
  ])("of the same controller is followed: %s", async (location) => {
    const { observe } = redirecting((path) => (path === system ? location : undefined));
    expect(await observe()).toMatchObject({ power: "off" });
  });

  it.each([301, 302, 307, 308])("keeps method and body: %i", async (status) => {
    const { server, run, network } = redirecting(
      (path) => (path.endsWith(".Reset") ? `${path}/` : undefined),
      status,
    );
    await run(server.powerOn());
    const posts = network.asked.filter(({ method }) => method === "POST");
    expect(posts.map(({ path, body }) => [path.endsWith("/"), body])).toEqual([
      [false, { ResetType: "On" }],
      [true, { ResetType: "On" }],
    ]);
  });

  it.each([
    `https://elsewhere.test${system}`,
    `http://bmc.test${system}`,
    `https://bmc.test:8443${system}`,
    `//elsewhere.test${system}`,
  ])("elsewhere is refused, and nothing is sent there: %s", async (location) => {
    const { observe, hosts } = redirecting((path) => (path === system ? location : undefined));
    await expect(observe()).rejects.toMatchObject({
      kind: "Rejected",
      message: expect.stringMatching(
        /^the server's controller redirects to https?:.*, which is not its address$/,
      ),
    });
    expect([...hosts]).toEqual(["bmc.test"]);
  });

  it("without end is given up", async () => {
    const { observe, network } = redirecting((path) =>
      path.startsWith(system) ? path : undefined,
    );
    await expect(observe()).rejects.toMatchObject({ kind: "Unavailable" });
    expect(network.asked.length).toBeLessThan(10);
  });
});

describe("an entity tag", () => {
  const tags = ['W/"9B9F"', '"9B9F"', '""9B9F""', '"9B9F-gzip"', "9B9F"];

  it.each(tags)("that the body alone shows is the condition of one change: %s", async (tag) => {
    const { server, run, network } = answering((method, path) => {
      if (path !== system) return undefined;
      if (method === "GET")
        return { ...at(path), "@odata.etag": tag, Boot: { BootSourceOverrideTarget: "None" } };
      const given = network.asked.at(-1)?.headers["if-match"];
      return new Response(null, { status: given === undefined ? 428 : given === tag ? 204 : 412 });
    });
    await run(server.bootOnce({ from: "network" }));
    expect(network.asked.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  it.each([
    ['""9B9F""', '"9B9F"'],
    ['"9B9F-gzip"', '"9B9F"'],
    ['"9B9F;br"', '"9B9F"'],
    ['W/"9B9F-gzip"', '"9B9F"'],
    ["9B9F", '"9B9F"'],
  ])("of the header as %s is tried as %s too", (received, taken) => {
    expect(preconditionsOf([received])).toEqual(expect.arrayContaining([received, taken]));
  });

  it("of the header goes before that of the body, and no condition before any state", () => {
    expect(preconditionsOf(['W/"1"', 'W/"2"'])).toEqual([
      'W/"1"',
      '"1"',
      'W/"2"',
      '"2"',
      undefined,
      "*",
    ]);
    expect(preconditionsOf([])).toEqual([undefined, "*"]);
  });

  it("is the condition of a change of a virtual drive", async () => {
    const { server, run, network } = answering((method, path) => {
      if (path === media) return { Members: [at(`${media}/EXT1`)] };
      if (path !== `${media}/EXT1`) return undefined;
      if (method === "GET") return { ...at(path), "@odata.etag": '"7"', MediaTypes: ["CD"] };
      const isMet = network.asked.at(-1)?.headers["if-match"] === '"7"';
      return new Response(null, { status: isMet ? 204 : 428 });
    });
    await run(server.insertMedia("https://images.test/a.iso"));
    expect(network.asked.filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });
});

describe("a boot source", () => {
  const settings = `${system}/Settings`;
  /** By the system, and by the resource that takes the change. */
  const sources = (active: object, pending: object) =>
    answering((method, path) => {
      if (path === system)
        return { ...at(path), Boot: active, "@Redfish.Settings": { SettingsObject: at(settings) } };
      if (path !== settings) return undefined;
      const Boot = { BootSourceOverrideTarget: "None", ...pending };
      return method === "GET" ? { ...at(path), Boot } : new Response(null, { status: 204 });
    });
  const http = { from: "http", url: "http://loader.test/ipxe.efi" } as const;
  const allowed = "BootSourceOverrideTarget@Redfish.AllowableValues";

  it("that the system alone lists is not asked of settings that list others", async () => {
    const { server, run, network } = sources(
      { HttpBootUri: "", [allowed]: ["Pxe", "UefiHttp"] },
      { [allowed]: ["None", "Pxe", "Hdd"] },
    );
    await expect(run(server.bootOnce(http))).rejects.toMatchObject({
      kind: "Rejected",
      message: "the server cannot boot from UefiHttp, only from None, Pxe, Hdd",
    });
    expect(network.asked.filter(({ method }) => method === "PATCH")).toEqual([]);
  });

  it.each([
    ["that list none", { [allowed]: ["Pxe", "UefiHttp"] }, {}],
    ["that take a URL", {}, { HttpBootUri: "", [allowed]: ["None", "Pxe"] }],
  ])("is asked of settings %s", async (_, active, pending) => {
    const { server, run, network } = sources(active, pending);
    await run(server.bootOnce(http));
    expect(network.asked.at(-1)).toMatchObject({
      method: "PATCH",
      path: settings,
      body: { Boot: { BootSourceOverrideTarget: "UefiHttp", HttpBootUri: http.url } },
    });
  });
});

describe("an address", () => {
  it("that names a system which the controller does not have, says so", async () => {
    const { adapter, run } = answering((_, path) =>
      path === system
        ? new Response('{"error":{"message":"The resource was not found."}}', { status: 404 })
        : undefined,
    );
    await expect(run(adapter().identity())).rejects.toMatchObject({
      kind: "NotFound",
      message: `the server's controller has no system ${system}, which its address names`,
    });
  });
});

describe("a collection", () => {
  const lists = /\/(Storage|Drives|VirtualMedia|EthernetInterfaces|SimpleStorage)$/;
  const collections = (collection: object) =>
    answering((_, path) =>
      lists.test(path)
        ? { ...at(path), ...collection }
        : path.includes("/Chassis/")
          ? at(path)
          : undefined,
    );

  it.each([
    { Members: null, "Members@odata.count": 0 },
    { "Members@odata.count": 0 },
    { Members: [] },
  ])("that says so is empty: %j", async (collection) => {
    const { server, run } = collections(collection);
    expect(await run(server.drives.list())).toEqual([]);
    expect(await run(server.observe())).toEqual({ power: "off" });
    expect(await run(server.identify())).toMatchObject({ macs: [] });
  });

  it.each([{}, { Members: null }])(
    "that does not say whether it has members has none, but drives that nobody tells of are waited for: %j",
    async (collection) => {
      const { server, run } = collections(collection);
      expect(await run(server.observe())).toEqual({ power: "off" });
      await expect(run(server.drives.list())).rejects.toMatchObject({
        kind: "Unavailable",
        message: "the server's controller does not list its drives",
      });
    },
  );

  it.each([
    { error: { message: "internal" }, "@odata.id": undefined },
    { "Members@odata.count": 4 },
    { "Members@odata.count": 4, Members: null },
  ])("that an answer is not, is waited for: %j", async (collection) => {
    const { server, run } = collections(collection);
    await expect(run(server.drives.list())).rejects.toMatchObject({ kind: "Unavailable" });
  });
});

describe("a virtual drive", () => {
  const without = (answer: object) =>
    answering((_, path) => (path.startsWith(media) ? answer : undefined));
  const noLicense = {
    status: 403,
    error: { message: "A license is required.", code: "License.1.0.NotLicensed" },
  };

  it.each([
    ["there is none", { Members: [] }, "has no virtual CD drive"],
    [
      "there is a stick alone",
      { Members: [at(`${media}/1`)], MediaTypes: ["USBStick"], ...at(`${media}/1`) },
      "has no virtual CD drive",
    ],
    ["it needs a licence", noLicense, "A license is required."],
  ])("is needed for media alone: %s", async (_, answer, message) => {
    const { server, run } = without(answer);
    expect(await run(server.observe())).toEqual({ power: "off" });
    await run(server.ejectMedia());
    await run(server.powerOn());
    const insertion = run(server.insertMedia("https://images.test/a.iso"));
    await expect(insertion).rejects.toMatchObject({
      kind: "Rejected",
      message: expect.stringContaining(message),
    });
  });

  it("that cannot be looked at for the moment is waited for", async () => {
    const { server, run } = without({ status: 503 });
    await expect(run(server.observe())).rejects.toMatchObject({ kind: "Unavailable" });
  });
});

describe("a session", () => {
  it.each([
    [
      "where the root says",
      { Links: { Sessions: at("/redfish/v1/Sessions") } },
      "/redfish/v1/Sessions",
    ],
    ["where most have it, if the root does not say", {}, "/redfish/v1/SessionService/Sessions"],
    [
      "where most have it, if the root is refused",
      { status: 401 },
      "/redfish/v1/SessionService/Sessions",
    ],
  ])("is opened %s", async (_, root, sessions) => {
    const { network, run, adapter } = answering((method, path) => {
      if (path === "/redfish/v1/") return root;
      if (method !== "POST") return undefined;
      const headers = { "x-auth-token": "1", location: `${path}/1` };
      return path === sessions
        ? new Response(null, { status: 201, headers })
        : new Response(null, { status: 405 });
    });
    const server = adapter({ authentication: "session" });
    await run(server.observe().catch(() => undefined));
    expect(network.calls.filter((call) => call.startsWith("POST"))).toContain(`POST ${sessions}`);
    await run(server.close());
    expect(network.calls.at(-1)).toBe(`DELETE ${sessions}/1`);
  });
});
