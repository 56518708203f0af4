import { beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../core/error.ts";
import {
  controllerAtKey,
  controllerKey,
  controllersClaimedKey,
} from "../../../core/kernel/object/keys.ts";
import { type Api, catalogApi, priv } from "../../support/api.ts";
import { bodies, makeNeeded } from "../../support/one-of-each.ts";

/** A management controller belongs to one host or DPU, in whatever spelling its address is written. */

let api: Api;
const admin = (method: string, path: string, body?: unknown) =>
  api.ask("admin", method, `${priv}/${path}`, body);

beforeEach(async () => {
  api = await catalogApi();
  await admin("POST", "sites", bodies.site);
  await admin("POST", "hubs", bodies.hub);
  await makeNeeded(api, "host");
});

let count = 0;
const add = (
  address: string,
  credentials: object = { username: "u", password: "p" },
  query = "",
) => {
  count += 1;
  const nics = [
    {
      name: "eno1",
      mac: `52:54:00:00:01:${count.toString(16).padStart(2, "0")}`,
      switch: "l",
      port: "1",
    },
  ];
  const spec = { host_type: "small", hub: "hub-1", bmc: { address, ...credentials }, nics };
  return admin("POST", `hosts${query}`, { metadata: { name: `h${count}` }, spec });
};
const added = async (address: string): Promise<string> => {
  const { status, body, text } = await add(address);
  expect(status, text).toBe(200);
  return body.id;
};
const isRefused = async (address: string) => {
  const { status, text } = await add(address);
  expect({ address, status, text }).toMatchObject({
    status: 400,
    text: expect.stringContaining("belongs to another host"),
  });
};

const address = "redfish://192.0.2.50/redfish/v1/Systems/1";
const spellings = [
  address,
  "redfish-virtualmedia://192.0.2.50/redfish/v1/Systems/1",
  "redfish://192.0.2.50/redfish/v1/Systems/1/",
  "REDFISH://192.0.2.50/redfish/v1/Systems/1",
  "redfish://192.0.2.50:443/redfish/v1/Systems/1",
  "redfish+https://192.0.2.50/redfish/v1/Systems/1",
  "https://192.0.2.50/redfish/v1/Systems/1",
  "idrac-redfish://192.0.2.50/redfish/v1/Systems/1",
  "redfish+http://192.0.2.50/redfish/v1/Systems/1",
  "redfish://192.0.2.50",
  "redfish://192.0.2.50/redfish/v1/",
];

/** Spellings that former code took for another controller or another system. */
const otherwise = [
  "redfish://192.0.2.50/redfish/v1/Systems/%31",
  "redfish://192.0.2.50//redfish/v1/Systems/1",
  "redfish://192.0.2.50/redfish/v1//Systems/1//",
  "redfish://192.0.2.50/%72edfish/v1/Systems/1",
];

/** As former code stored the claim: by text alone. */
async function makeFormer(of: string): Promise<void> {
  const [key] = [controllerAtKey("192.0.2.50")];
  expect(await api.deps.store.get(controllerKey(of))).toBeDefined();
  await api.deps.store.transact([
    { delete: key },
    { delete: { pk: "controllers-claimed", sk: "-" } },
  ]);
}
const isClaimed = async () => ({
  text: (await api.deps.store.get(controllerKey(address))) !== undefined,
  meaning: (await api.deps.store.get(controllerAtKey("192.0.2.50"))) !== undefined,
});

describe("an address in another spelling", () => {
  it.each([...spellings, ...otherwise])(
    "%s is of the same controller, whichever was first",
    async (spelling) => {
      const id = await added(address);
      await isRefused(spelling);
      expect((await admin("DELETE", `hosts/${id}`)).status).toBe(200);
      const other = await added(spelling);
      await isRefused(address);
      // The same host may be spelled otherwise.
      const changed = await admin("PATCH", `hosts/${other}`, { spec: { bmc: { address } } });
      expect(changed.status, changed.text).toBe(200);
      await isRefused(spelling);
      expect((await admin("DELETE", `hosts/${other}`)).status).toBe(200);
      expect(await isClaimed()).toEqual({ text: false, meaning: false });
    },
  );

  it.each(["/redfish", "/redfish/v1/Systems", "/redfish/v1/systems/1", "/1"])(
    "without the path of a system is none: %s",
    async (path) => {
      const { status, text } = await add(`redfish://192.0.2.50${path}`);
      expect({ status, text }).toMatchObject({
        status: 400,
        text: expect.stringContaining("must name a system as /redfish/v1/Systems/<id>, or none"),
      });
    },
  );

  it("is the same with a name in upper case, and with IPv6 written out", async () => {
    await added("redfish://BMC-7.example.com/redfish/v1/Systems/1");
    await isRefused("redfish://bmc-7.example.com/redfish/v1/Systems/1");
    await isRefused("redfish://bmc-7.example.com./redfish/v1/Systems/1");
    await isRefused("redfish://bmc-7.example.com.:443");
    await added("redfish://bmc-8.example.com.:8443/redfish/v1/Systems/1");
    await isRefused("redfish://bmc-8.example.com:8443/redfish/v1/Systems/1");
    await added("redfish://[2001:db8::10]");
    await isRefused("redfish://[2001:DB8:0::10]");
  });

  it("is another for another system, controller or port", async () => {
    await added(address);
    await added("redfish://192.0.2.50/redfish/v1/Systems/2");
    await added("redfish://192.0.2.51/redfish/v1/Systems/1");
    await added("redfish://192.0.2.50:8443/redfish/v1/Systems/1");
    // Without a system it is the whole controller.
    await isRefused("redfish://192.0.2.50");
  });

  it("is refused in a change", async () => {
    await added(address);
    const id = await added("redfish://192.0.2.51/redfish/v1/Systems/1");
    const bmc = { address: "redfish-virtualmedia://192.0.2.50:443/redfish/v1/Systems/1" };
    const { status, text } = await admin("PATCH", `hosts/${id}`, { spec: { bmc } });
    expect({ status, text }).toMatchObject({
      status: 400,
      text: expect.stringContaining("another host"),
    });
  });

  it("is refused to a DPU of a host", async () => {
    await admin("POST", "hosts", bodies.host);
    const dpu = Object(bodies.dpu);
    const bmc = { ...dpu.spec.bmc, address: "REDFISH://10.1.0.1:443/redfish/v1/Systems/1/" };
    const { status, text } = await admin("POST", "dpus", { ...dpu, spec: { ...dpu.spec, bmc } });
    expect({ status, text }).toMatchObject({
      status: 400,
      text: expect.stringContaining("another host"),
    });
  });

  it("of two requests at once is had by one", async () => {
    const answers = await Promise.all(spellings.map((each) => add(each)));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });
});

describe("a claim by text alone, of a former Slipway", () => {
  it.each(spellings)("keeps others out who write %s", async (spelling) => {
    await added(spelling);
    await makeFormer(spelling);
    await isRefused(address);
  });

  it("keeps others out of the whole controller", async () => {
    await added(address);
    await makeFormer(address);
    await isRefused("redfish://192.0.2.50");
  });

  it.each([
    ["redfish://192.0.2.50/redfish/v1/Systems/%31", address],
    ["redfish://192.0.2.50/redfish/v1//Systems/1", address],
    ["idrac-virtualmedia+https://192.0.2.50/redfish/v1/Systems/1", address],
    ["ilo5-virtualmedia://192.0.2.50", "redfish://192.0.2.50"],
    ["ilo5-redfish+http://192.0.2.50/redfish/v1/Systems/1", address],
    ["redfish://192.0.2.50/redfish/v1/Systems/437XR1138R2", "redfish://192.0.2.50"],
    ["redfish://192.0.2.50/redfish/v1/Systems/Self", "https://192.0.2.50"],
    ["redfish://192.0.2.50", "redfish://192.0.2.50/redfish/v1/Systems/HGX_Baseboard_0"],
    ["redfish://192.0.2.50", "redfish://192.0.2.50/redfish/v1/Systems/Bluefield"],
  ])("of %s keeps %s out, also in a dry run", async (former, same) => {
    await added(former);
    await makeFormer(former);
    const { status, text } = await add(same, { username: "u", password: "p" }, "?dry_run=true");
    expect({ status, text }).toMatchObject({
      status: 400,
      text: expect.stringContaining("belongs to another host"),
    });
    await isRefused(same);
  });

  it("goes with its host", async () => {
    const id = await added(address);
    await makeFormer(address);
    expect((await admin("DELETE", `hosts/${id}`)).status).toBe(200);
    expect(await isClaimed()).toEqual({ text: false, meaning: false });
    await added("redfish://192.0.2.50");
  });

  it("is carried over with a change of its host", async () => {
    const id = await added(address);
    await makeFormer(address);
    const changed = await admin("PATCH", `hosts/${id}`, { spec: { rack: "r1" } });
    expect(changed.status, changed.text).toBe(200);
    expect(await isClaimed()).toEqual({ text: true, meaning: true });
  });

  it.each([address, "redfish://192.0.2.50"])(
    "of two hosts at %s stands in the way of neither, and keeps others out until both are gone",
    async (first) => {
      const id = await added(first);
      const other = await added("redfish://192.0.2.51");
      const text = `redfish-virtualmedia${first.slice("redfish".length)}`;
      const { changeObject } = await import("../../../core/kernel/events/rewrite.ts");
      await changeObject(api.deps, "host", other, (host) => ({
        ...host,
        spec: { ...host.spec, bmc: { ...host.spec.bmc, address: text } },
      }));
      await api.deps.store.transact([
        { delete: controllerAtKey("192.0.2.51") },
        { put: { ...controllerKey(text), host: other } },
      ]);
      await makeFormer(first);
      const { body } = await admin("GET", "invalid_objects");
      expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual([id, other].sort());
      for (const host of [id, other]) {
        const changed = await admin("PATCH", `hosts/${host}`, { spec: { rack: "r1" } });
        expect(changed.status, changed.text).toBe(200);
        await isRefused("redfish+http://192.0.2.50");
        expect((await admin("DELETE", `hosts/${host}`)).status).toBe(200);
      }
      expect(await isClaimed()).toEqual({ text: false, meaning: false });
      await added("redfish://192.0.2.50");
    },
  );

  it("is carried over by the next request where one was cut off in the middle", async () => {
    const addresses = [1, 2, 3, 4, 5].map((n) => `redfish://192.0.2.${n}/redfish/v1/Systems/Self`);
    for (const each of addresses) await added(each);
    const keys = addresses.map((_, n) => controllerAtKey(`192.0.2.${n + 1}`));
    await api.deps.store.transact([...keys, controllersClaimedKey].map((key) => ({ delete: key })));
    const claims = async () =>
      (await api.deps.store.getMany(keys)).filter((item) => item !== undefined).length;
    const { transact } = api.deps.store;
    let left = 2;
    const cut = vi.spyOn(api.deps.store, "transact").mockImplementation(async (...args) => {
      left -= 1;
      if (left < 0) throw new AppError("Unavailable", "cut off");
      return transact.apply(api.deps.store, args);
    });
    expect((await add("redfish://192.0.2.5")).status).toBe(503);
    cut.mockRestore();
    expect(await claims()).toBe(2);
    await isRefused("redfish://192.0.2.5");
    expect(await claims()).toBe(5);
  });
});

/** Makes a host's address another one, with its claims as former code made them of its text. */
async function makeFormerly(host: string, text: string, at: string, system: string): Promise<void> {
  const { changeObject } = await import("../../../core/kernel/events/rewrite.ts");
  const { store } = api.deps;
  const stored = (await store.get({ pk: `host#${host}`, sk: "-" }))?.object;
  const { address: before = "" } = Object(stored).spec.bmc;
  await changeObject(api.deps, "host", host, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, bmc: { ...spec.bmc, address: text } },
  }));
  await store.transact([
    { delete: controllerKey(before) },
    { delete: controllerAtKey(new URL(before.replace(/^redfish:/, "https:")).host) },
    { put: { ...controllerKey(text), host } },
    { put: { ...controllerAtKey(at), holders: { [system]: { host } }, revision: 1 } },
  ]);
}

describe("a claim by the meaning that a former Slipway knew", () => {
  const own = "redfish://192.0.2.77/redfish/v1/Systems/1";
  const name = "bmc-1.example.com";
  const formerly: [text: string, at: string, system: string, same: string][] = [
    [
      `redfish://192.0.2.50/redfish/v1/Systems/%31`,
      "192.0.2.50",
      "/redfish/v1/Systems/%31",
      address,
    ],
    [`redfish://192.0.2.50//redfish/v1/Systems/1`, "192.0.2.50", "//redfish/v1/Systems/1", address],
    [`redfish://192.0.2.50/redfish`, "192.0.2.50", "/redfish", address],
    [`redfish://192.0.2.50/redfish/v1/Systems`, "192.0.2.50", "/redfish/v1/Systems", address],
    [
      `redfish://${name}./redfish/v1/Systems/1`,
      ...([`${name}.`, "/redfish/v1/Systems/1"] as const),
      `redfish://${name}/redfish/v1/Systems/1`,
    ],
    [
      `redfish://${name}.:8443/redfish/v1/Systems/1`,
      ...([`${name}.:8443`, "/redfish/v1/Systems/1"] as const),
      `redfish://${name}:8443/redfish/v1/Systems/1`,
    ],
    ["redfish://192.0.2.50/1", "192.0.2.50", "/1", "redfish://192.0.2.50"],
    ["redfish://0.0.0.0", "0.0.0.0", "*", "redfish://0.0.0.0/redfish/v1"],
  ];
  const left = async (text: string, at: string) => ({
    text: await api.deps.store.get(controllerKey(text)),
    meaning: await api.deps.store.get(controllerAtKey(at)),
    today: await api.deps.store.get(controllerAtKey(at.replace(/\.(?=$|:)/, ""))),
  });
  const none = { text: undefined, meaning: undefined, today: undefined };

  it.each(formerly)("of %s keeps others out, and goes with its host", async (...row) => {
    const [text, at, system, same] = row;
    const id = await added(own);
    await makeFormerly(id, text, at, system);
    expect((await admin("GET", `hosts/${id}`)).body.spec.bmc.address).toBe(text);
    expect((await add(same)).status).toBe(400);
    expect((await admin("DELETE", `hosts/${id}`)).status).toBe(200);
    expect(await left(text, at)).toEqual(none);
  });

  it.each(formerly)("of %s is carried over with a change of its host", async (...row) => {
    const [text, at, system, same] = row;
    const id = await added(own);
    await makeFormerly(id, text, at, system);
    const changed = await admin("PATCH", `hosts/${id}`, { spec: { rack: "r1" } });
    expect(changed.status, changed.text).toBe(200);
    expect((await add(same)).status).toBe(400);
    const moved = await admin("PATCH", `hosts/${id}`, { spec: { bmc: { address: own } } });
    expect(moved.status, moved.text).toBe(200);
    expect(await left(text, at)).toEqual(none);
    await isRefused(own);
  });
});
