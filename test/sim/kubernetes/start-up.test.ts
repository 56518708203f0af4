import { beforeEach, describe, expect, it } from "vitest";
import type { KubeCluster } from "../../../sim/kubernetes/cluster.ts";
import { type Lack, lackAt } from "../../../sim/kubernetes/start-up.ts";
import { type Answer, caller, openCluster, widgets } from "./fixture.ts";

let cluster: KubeCluster;
let lack: Lack | undefined;
let call: (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>;
beforeEach(() => {
  cluster = openCluster().cluster;
  call = caller(cluster, { lacks: () => lack }).call;
});

const configMaps = "/api/v1/namespaces/default/configmaps";
const note = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

it.each([
  [0, "rights"],
  [299, "rights"],
  [300, "paths"],
  [600, "objects"],
  [899, "objects"],
  [900, undefined],
])("%i ms after the start of a server that takes 900 it lacks: %s", (age, lacking) => {
  expect(lackAt(age, 900)).toBe(lacking);
});

it("a server that takes no time lacks nothing", () => {
  expect(lackAt(0, 0)).toBeUndefined();
});

describe("without the rights of its users", () => {
  beforeEach(() => {
    lack = "rights";
  });

  it("it forbids what it will allow, in the authorizer's words", async () => {
    expect(await call("POST", configMaps, note)).toMatchObject({
      code: 403,
      body: {
        reason: "Forbidden",
        message:
          'configmaps is forbidden: User "tester" cannot create resource "configmaps" in API group "" in the namespace "default"',
      },
    });
    expect(cluster.list("ConfigMap")).toEqual([]);
  });

  it.each(["/version", "/api/v1", "/apis/example.com/v1", "/openapi/v3"])(
    "and %s, which is no object",
    async (path) => {
      expect(await call("GET", path)).toMatchObject({
        code: 403,
        body: {
          reason: "Forbidden",
          message: `forbidden: User "tester" cannot get path "${path}"`,
        },
      });
    },
  );

  it("it tells strangers from users, and says that it is healthy", async () => {
    expect(await call("GET", "/api", undefined, { authorization: "" })).toMatchObject({
      code: 401,
    });
    const { api } = caller(cluster, { lacks: () => lack });
    expect((await api(new Request("https://hub.test/livez"))).status).toBe(200);
  });
});

describe("without the paths of custom kinds", () => {
  beforeEach(() => {
    lack = "paths";
  });

  it.each([widgets, `${widgets}/a`, "/apis/example.com/v1", "/apis/nowhere/v1/widgets"])(
    "%s may come yet: 503",
    async (path) => {
      expect(await call("GET", path)).toMatchObject({
        code: 503,
        body: {
          reason: "ServiceUnavailable",
          message:
            "the request has been made before all known HTTP paths have been installed, please try again",
          details: { retryAfterSeconds: 5 },
        },
      });
    },
  );

  it("built-in kinds are there", async () => {
    expect(await call("POST", configMaps, note)).toMatchObject({ code: 201 });
  });
});

describe("without the objects that it answers lists from", () => {
  beforeEach(() => {
    lack = "objects";
  });

  it.each([widgets, `${widgets}?watch=true`, configMaps])("%s is 429", async (path) => {
    expect(await call("GET", path)).toMatchObject({
      code: 429,
      body: {
        reason: "TooManyRequests",
        message: "storage is (re)initializing",
        details: { retryAfterSeconds: 1 },
      },
    });
  });

  it("one object is read and written", async () => {
    await call("POST", configMaps, note);
    expect(await call("GET", `${configMaps}/a`)).toMatchObject({ code: 200 });
  });
});
