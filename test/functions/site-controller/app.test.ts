import { beforeEach, describe, expect, it, vi } from "vitest";
import { isSiteHeard } from "../../../core/at-site/reach.ts";
import { AppError } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { bootKernel } from "../../../core/machine/ipxe.ts";
import {
  type MachineReport,
  type MachineRequest,
  machineRequests,
} from "../../../core/machine/requests.ts";
import type { Serving } from "../../../core/machine/serving.ts";
import { mintToken, revokeToken } from "../../../core/machine/tokens.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { bodyLimit } from "../../../functions/api/body.ts";
import { siteController } from "../../../functions/site-controller/app.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { hostRecord } from "../../support/placement.ts";

const machine = { kind: "host", id: "h1" } as const;
const free = { guard: async () => {}, fence: () => [] };
const url = "http://10.0.0.2:8080";

/** A host that says what it is asked, and keeps the last report in its message. */
const serving: Serving<"host"> = {
  allows: ({ maintenance }) => maintenance === undefined,
  boot: async (_, { id }, { urls, address }) =>
    bootKernel({
      kernel: "http://10.0.0.3/vmlinuz",
      initrd: "http://10.0.0.3/initrd",
      args: [`host=${id}`, `ds=nocloud;s=${urls.seed}`, ...(address ? [`ip=${address}`] : [])],
    }),
  seed: async (_, { id }, part, { urls }) =>
    ({
      "meta-data": `instance-id: ${id}\n`,
      "user-data": "#cloud-config\n",
      "vendor-data": urls.phoneHome,
      "network-config": undefined,
    })[part],
  network: async () => ({ version: 7, vni: 100 }),
  reported(host, report, { now }) {
    if (report.of === "phone_home" && report.instance_id !== host.id)
      throw new AppError("Forbidden", "the token is another instance's");
    return {
      ...host,
      server: { condition: "CLEAN", quarantine: { since: now, reason: JSON.stringify(report) } },
    };
  },
};

const setHost = (deps: TestDeps, edit: (host: Host) => Host) =>
  changeObject(deps, "host", "h1", edit);
const lastReport = async (deps: TestDeps): Promise<MachineReport | undefined> => {
  const { server } = await mustLoad(deps, "host", "h1");
  return server?.quarantine && JSON.parse(server.quarantine.reason);
};

async function opened() {
  const deps = testDeps({ machines: { host: serving } });
  const site = {
    ...hostRecord("site-1", "one", "small"),
    kind: "site" as const,
    id: "site-1",
    spec: { credentials: "", machines: { url, loader: "http://10.0.0.3/ipxe.efi" } },
    status: { low: [] },
  };
  const records = [hostRecord("h1", "one", "small"), site];
  await deps.store.transact(records.flatMap((record) => putNew(deps.kinds, record)));
  const use = { machine, serves: machine, operation: "o1", site: "site-1" };
  const token = await mintToken(deps, use, free);
  const app = siteController(deps);
  const ask = (path: string, init: RequestInit = {}) => app.request(`/site/v1${path}`, init);
  return { deps, token, ask, bearer: { Authorization: `Bearer ${token}` } };
}

let open: Awaited<ReturnType<typeof opened>>;
beforeEach(async () => {
  open = await opened();
});

it("tells its version to everybody", async () => {
  const answer = await open.ask("/health");
  expect(await answer.json()).toEqual({ version: "1" });
});

it("answers a script with the machine's own URLs, and notes that it was asked for", async () => {
  const { ask, token, deps } = open;
  const answer = await ask(`/boot/${token}`);
  expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
  expect(await answer.text()).toBe(
    [
      "#!ipxe",
      `kernel http://10.0.0.3/vmlinuz initrd=initrd host=h1 ds=nocloud;s=${url}/site/v1/seed/${token}/`,
      "initrd --name initrd http://10.0.0.3/initrd",
      "boot",
      "",
    ].join("\n"),
  );
  expect(await lastReport(deps)).toEqual({ of: "boot" });
});

it.each([
  ["10.0.0.9", "10.0.0.9"],
  ["of-no-family", undefined],
  ["", undefined],
])("a script for the address %j is for %s", async (told, address) => {
  const { ask, token, deps } = open;
  const script = await (await ask(`/boot/${token}?address=${told}`)).text();
  expect(/ ip=(\S*)/.exec(script)?.[1]).toBe(address);
  expect(await lastReport(deps)).toEqual({ of: "boot", ...(address && { address }) });
});

it("leads firmware to iPXE, which finds the script beside it", async () => {
  const { ask, token } = open;
  const answer = await ask(`/boot/${token}/ipxe.efi`);
  expect(answer.status).toBe(302);
  expect(answer.headers.get("Location")).toBe("http://10.0.0.3/ipxe.efi");
  const beside = await ask(`/boot/${token}/autoexec.ipxe`);
  expect(await beside.text()).toBe(await (await ask(`/boot/${token}`)).text());
});

it("answers the parts of the seed that there are", async () => {
  const { ask, token, deps } = open;
  const answer = await ask(`/seed/${token}/vendor-data`);
  expect(await answer.text()).toBe(`${url}/site/v1/phone-home/${token}`);
  expect(await lastReport(deps)).toEqual({ of: "seed", part: "vendor-data" });
  for (const part of ["network-config", "passwords"])
    expect((await ask(`/seed/${token}/${part}`)).status).toBe(404);
});

it.each([
  [
    "the form of cloud-init",
    "application/x-www-form-urlencoded",
    "instance_id=h1&hostname=web&fqdn=web.example&pub_key_rsa=ssh-rsa+AAAA",
  ],
  [
    "JSON",
    "application/json",
    '{"instance_id":"h1","hostname":"web","pub_key_rsa":"ssh-rsa AAAA"}',
  ],
])("takes a phone home in %s", async (_, type, body) => {
  const { ask, token, deps } = open;
  const answer = await ask(`/phone-home/${token}`, {
    method: "POST",
    body,
    headers: { "Content-Type": type },
  });
  expect(answer.status).toBe(204);
  expect(await lastReport(deps)).toEqual({
    of: "phone_home",
    instance_id: "h1",
    hostname: "web",
    pub_key_rsa: "ssh-rsa AAAA",
  });
});

it("a machine that asks without an end is told to wait, and no other machine is", async () => {
  const { ask, bearer, token, deps } = open;
  const error = vi.spyOn(deps.log, "error");
  const all = [];
  for (let n = 0; n < 60; n++) all.push(await ask("/network", { headers: bearer }));
  expect(all.slice(0, 50).every(({ status }) => status === 200)).toBe(true);
  expect(all.slice(50).map(({ status }) => status)).toEqual(Array(10).fill(429));
  expect(all.at(-1)?.headers.get("Retry-After")).toBe("1");
  expect(error).not.toHaveBeenCalled();
  // By whatever path the token comes.
  expect((await ask(`/boot/${token}`)).status).toBe(429);
  const other = { Authorization: "Bearer another" };
  expect((await ask("/network", { headers: other })).status).toBe(404);
  await deps.clock.advance(1000);
  expect((await ask("/network", { headers: bearer })).status).toBe(200);
});

it("a report writes the machine's object alone: that its operation is woken is requested of a worker", async () => {
  const { ask, bearer, deps } = open;
  await setHost(deps, (host) => ({ ...host, operation: asOperationId("o1") }));
  const before = deps.store.stream(undefined, 1000).length;
  const answer = await ask("/discovery", {
    method: "POST",
    headers: { ...bearer, "Content-Type": "application/json" },
    body: '{"serial":"S1","nics":[]}',
  });
  expect(answer.status).toBe(204);
  const written = deps.store.stream(undefined, 1000).slice(before);
  expect(written.map(({ key }) => key.pk)).toEqual(["host#h1"]);
  expect(deps.woken).toEqual(["o1"]);
});

it("refuses a report about another instance", async () => {
  const { ask, token, deps } = open;
  const answer = await ask(`/phone-home/${token}`, {
    method: "POST",
    body: '{"instance_id":"h2"}',
    headers: { "Content-Type": "application/json" },
  });
  expect(answer.status).toBe(403);
  expect(await lastReport(deps)).toBeUndefined();
});

it("takes discovery and applied configurations by bearer token, and names wrong members", async () => {
  const { ask, bearer, deps } = open;
  const json = { ...bearer, "Content-Type": "application/json" };
  const nics = [{ name: "eth0", mac: "52:54:00:AA:BB:CC" }];
  expect(
    (
      await ask("/discovery", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ serial: "S1", nics }),
      })
    ).status,
  ).toBe(204);
  expect(await lastReport(deps)).toMatchObject({
    of: "discovery",
    serial: "S1",
    nics: [{ mac: "52:54:00:aa:bb:cc" }],
  });
  expect(
    (
      await ask("/network/applied", {
        method: "PUT",
        headers: json,
        body: '{"version":7,"state":"applied"}',
      })
    ).status,
  ).toBe(204);
  expect(await lastReport(deps)).toEqual({ of: "applied", version: 7, state: "applied" });
  const wrong = await ask("/network/applied", {
    method: "PUT",
    headers: json,
    body: '{"version":"x"}',
  });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toEqual({ message: expect.stringMatching(/state: .*; version: /) });
});

it("takes what a machine reports of its health", async () => {
  const { ask, bearer, deps } = open;
  const alerts = [{ id: "fan-speed", message: "fan 3 stands still", classifications: [] }];
  const answer = await ask("/health", {
    method: "POST",
    headers: { ...bearer, "Content-Type": "application/json" },
    body: JSON.stringify({ alerts }),
  });
  expect(answer.status).toBe(204);
  expect(await lastReport(deps)).toMatchObject({ of: "health", alerts });
});

it("a body that is too large is not read", async () => {
  const { ask, bearer } = open;
  const answer = await ask("/health", {
    method: "POST",
    headers: { ...bearer, "Content-Type": "application/json" },
    body: " ".repeat(bodyLimit + 1),
  });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toBe("");
});

it.each([true, false])("a machine asks for its network, and was unheard: %s", async (isUnheard) => {
  const { deps, bearer } = open;
  const app = siteController({
    ...deps,
    machines: { host: { ...serving, isUnheard: () => isUnheard } },
  });
  expect((await app.request("/site/v1/network", { headers: bearer })).status).toBe(200);
  expect(await lastReport(deps)).toEqual(isUnheard ? { of: "network" } : undefined);
  expect(await isSiteHeard(deps, "site-1")).toBe(isUnheard);
});

it("answers the wanted configuration once for each version", async () => {
  const { ask, bearer } = open;
  const answer = await ask("/network", { headers: bearer });
  expect(await answer.json()).toEqual({ version: 7, vni: 100 });
  expect(answer.headers.get("ETag")).toBe('"7"');
  const again = await ask("/network", { headers: { ...bearer, "If-None-Match": '"7"' } });
  expect(again.status).toBe(304);
  expect((await ask("/network", { headers: { ...bearer, "If-None-Match": '"6"' } })).status).toBe(
    200,
  );
});

describe("gets 404 and not a word more", () => {
  const empty = async (answer: Response) => {
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe("");
  };

  it("who has no token, a wrong one, or one that was revoked", async () => {
    const { ask, deps, token, bearer } = open;
    await empty(await ask("/network"));
    await empty(await ask("/boot/wrong"));
    await revokeToken(deps, machine, machine);
    await empty(await ask(`/boot/${token}`));
    await empty(await ask("/network", { headers: bearer }));
  });

  it("who asks in a state in which it makes no sense", async () => {
    const { ask, deps, token } = open;
    await setHost(deps, (host) => ({ ...host, maintenance: { since: "", by: "" } }));
    for (const path of [`/boot/${token}`, `/seed/${token}/meta-data`]) await empty(await ask(path));
  });

  it("who asks for what its kind does not have, or its site", async () => {
    const { deps, token, bearer } = open;
    const { allows, reported } = serving;
    const app = siteController({ ...deps, machines: { host: { allows, reported } } });
    for (const path of [`/boot/${token}`, `/seed/${token}/meta-data`, "/network"])
      await empty(await app.request(`/site/v1${path}`, { headers: bearer }));
    await changeObject(deps, "site", "site-1", ({ spec: { machines: _, ...spec }, ...site }) => ({
      ...site,
      spec,
    }));
    for (const path of [`/boot/${token}`, `/boot/${token}/ipxe.efi`])
      await empty(await open.ask(path));
  });

  it("whose object is gone, and who asks for what there is not", async () => {
    const { ask, deps, token } = open;
    await empty(await ask("/elsewhere"));
    await deps.store.transact([{ delete: { pk: "host#h1", sk: "-" } }]);
    await empty(await ask(`/boot/${token}`));
  });
});

it("says nothing of a token when something breaks, neither to the machine nor in the log", async () => {
  const lines: unknown[] = [];
  const note = (...line: unknown[]) => void lines.push(line);
  const deps = {
    ...open.deps,
    log: { info: note, warn: note, error: note },
    machines: {
      host: {
        ...serving,
        boot: async () => {
          throw new Error("broken");
        },
      },
    },
  };
  const answer = await siteController(deps).request(`/site/v1/boot/${open.token}`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toBe("");
  expect(JSON.stringify(lines)).toContain("broken");
  expect(JSON.stringify(lines)).not.toContain(open.token);
});

/** The request that each route is judged as, and a body that it takes. */
const judgedAs: Record<string, { request: MachineRequest; body?: object }> = {
  "GET /boot/:token/ipxe.efi": { request: "boot" },
  "GET /boot/:token": { request: "boot" },
  "GET /boot/:token/autoexec.ipxe": { request: "boot" },
  "GET /seed/:token/:part": { request: "seed" },
  "POST /phone-home/:token": { request: "phone_home", body: { instance_id: "h1" } },
  "POST /discovery": { request: "discovery", body: { serial: "S1", nics: [] } },
  "GET /network": { request: "network" },
  "PUT /network/applied": { request: "applied", body: { version: 7, state: "applied" } },
  "POST /health": { request: "health", body: { alerts: [] } },
};

/** Open to everybody: it names the version of the contract. */
const isOpen = "GET /health";

const routes = siteController(testDeps())
  .routes.filter(({ method }) => method !== "ALL")
  .map(({ method, path }) => `${method} ${path.replace("/site/v1", "")}`)
  .filter((route) => route !== isOpen);

it("each route is judged as some request, and each request has a route", () => {
  expect(Object.keys(judgedAs).sort()).toEqual([...new Set(routes)].sort());
  const requests = Object.values(judgedAs).map(({ request }) => request);
  expect([...new Set(requests)].sort()).toEqual([...machineRequests].sort());
});

it.each(routes)("%s is answered where the object allows its request alone", async (route) => {
  const { deps, token, bearer } = open;
  const { request, body } = judgedAs[route] ?? {};
  const [method = "", path = ""] = route.split(" ");
  const answered: MachineRequest[] = [];
  for (const only of machineRequests) {
    const allows: Serving<"host">["allows"] = (_, asked) => asked === only;
    const app = siteController({ ...deps, machines: { host: { ...serving, allows } } });
    const url = `/site/v1${path.replace(":token", token).replace(":part", "user-data")}`;
    const { status } = await app.request(url, {
      method,
      headers: { ...(!path.includes(":token") && bearer), "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status < 400) answered.push(only);
    else expect(status).toBe(404);
  }
  expect(answered).toEqual([request]);
});
