import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readParameters } from "../../infra/parameters.ts";

const issuer = { issuer: "https://login.example.com", audiences: ["slipway"] };
const api = { issuers: [issuer] };
const network = { vpc: "own" };
const given = { vpc: "given", id: "vpc-1", subnets: ["subnet-1"], routeTables: ["rtb-1"] };

function stage(parameters: object): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-stages-"));
  writeFileSync(join(folder, "test.json"), JSON.stringify(parameters));
  return folder;
}

const only = (change: object) => ({ api: { issuers: [{ ...issuer, ...change }] } });
const machines = { from: ["10.8.0.0/16"] };
const byRoutes = { id: "eu-1", reach: { by: "routes" } };
const endpointService = { by: "privatelink", service: "com.amazonaws.vpce.us-east-1.vpce-svc-1" };

describe("a stage's parameters", () => {
  it("need an issuer, an audience and a network; the rest is usual", () => {
    expect(readParameters("test", stage({ api, network }))).toMatchObject({
      protected: false,
      encryption: "aws",
      network: { vpc: "own", zones: 2 },
      hubs: [],
      api: { profile: "slipway", throttle: { rate: 200, burst: 400 } },
    });
  });

  it("are as in the example, which is right", () => {
    expect(readParameters("example", "stages")).toMatchObject({ protected: true });
    const text = readFileSync("stages/example.json", "utf8");
    expect(text).not.toMatch(/secret|password|token/i);
  });

  it.each([
    ["api.issuers", { api: { issuers: [] } }],
    ["api.issuers.0.issuer", only({ issuer: "http://login.example.com" })],
    ["api.issuers.0.issuer", only({ issuer: "https://login.example.com?x=1" })],
    ["api.issuers.0.audiences", only({ audiences: [] })],
    ["api.issuers.0.claims", only({ claims: { tenants: "t" } })],
    ["api.issuers.0.groups.ops.0", only({ groups: { ops: ["king"] } })],
    ["api.issuers.0.tenants.0", only({ tenants: ["Not A Name"] })],
    ["api.issuers.1.issuer", { api: { issuers: [issuer, issuer] } }],
    ["api.issuers", only({ audiences: ["a".repeat(3000)] })],
    ["api", { api: { ...api, isuer: "x" } }],
    ["network", { api }],
    ["machines", { api, network, machines }],
    ["machines", { api, network: { vpc: "own", zones: 3 }, machines }],
    ["machines.concurrency", { api, network: given, machines: { ...machines, concurrency: 0 } }],
    ["hubs.0.reach.by", { api, network, hubs: [byRoutes] }],
    ["hubs.1.reach.by", { api, network, hubs: [{ id: "us-1", reach: endpointService }, byRoutes] }],
    ["network.subnets", { api, network: { vpc: "given", id: "vpc-1", routeTables: ["rtb-1"] } }],
    ["agentAccounts.0", { api, agentAccounts: ["arn:aws:iam::123456789012:role/hub-eu-1"] }],
    ["agentAccounts", { api, agentAccounts: Array(101).fill("123456789012") }],
    ["hubs.0.id", { api, hubs: [{ id: "EU 1", reach: { by: "routes" } }] }],
    ["hubs.0.reach.by", { api, hubs: [{ id: "eu-1", reach: { by: "magic" } }] }],
    [
      "hubs.0.reach.resourceConfiguration",
      { api, hubs: [{ id: "eu-1", reach: { by: "lattice", resourceConfiguration: "rcfg-1" } }] },
    ],
    ["concurrency.hub", { api, concurrency: { hub: 0, site: 1 } }],
    ["api.concurrency", { api: { ...api, concurrency: 0 } }],
    ["api.watches.concurrency", { api: { ...api, watches: { concurrency: 4 } } }],
    ["api.authorizer", { api: { ...api, authorizer: "lambda" }, network }],
    ["table", { api, table: "a table" }],
    ["warmThroughput.writes", { api, warmThroughput: { reads: 12_000, writes: 3999 } }],
    ["hostedZones", { api, network, hostedZones: ["Z0123456789"] }],
    ["alarms.email", { api, alarms: { email: "nobody" } }],
  ])("that are wrong are refused by name: %s", (path, parameters) => {
    const escaped = path.replaceAll(".", String.raw`\.`);
    expect(() => readParameters("test", stage(parameters))).toThrow(
      new RegExp(`is not right:\n[^]*^ {2}${escaped}: `, "m"),
    );
  });

  it("have a network with routes where machines ask or hubs are reached by routes", () => {
    const hubs = [byRoutes, { id: "us-1", reach: endpointService }];
    expect(readParameters("test", stage({ api, network: given, machines, hubs }))).toMatchObject({
      machines: { concurrency: 20 },
    });
  });

  it("say what to do about a network that nobody has named", () => {
    expect(() => readParameters("test", stage({ api }))).toThrow(
      /network: must be \{ vpc: 'given'.*routes to sites, hubs and the clusters.*trial/,
    );
  });

  const destinations = (...names: string[]) => {
    const url = "https://billing.example.com";
    const secret = "arn:aws:secretsmanager:us-east-1:123456789012:secret:billing-AbCdEf";
    return { api, network, events: { destinations: names.map((name) => ({ name, url, secret })) } };
  };

  it.each([
    ["prod", "d".repeat(39), undefined],
    [
      "prod",
      "d".repeat(40),
      "events.destinations.0.name: may have 39 characters at most, not 40: with what is around it, it names a role, which may have 64",
    ],
    ["s".repeat(31), "d".repeat(12), undefined],
    ["s".repeat(31), "d".repeat(13), "events.destinations.0.name: may have 12 characters"],
    ["s".repeat(40), "d".repeat(3), undefined],
    ["s".repeat(41), "d", `the name of stage '${"s".repeat(41)}' may have 40 characters at most`],
  ])("make names that AWS takes: stage %s, destination %s", (name, of, refused) => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-stages-"));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(destinations(of)));
    const read = () => readParameters(name, folder);
    if (refused === undefined) expect(read).not.toThrow();
    else expect(read).toThrow(refused);
  });

  it.each([
    [["billing", "audit"], undefined],
    [
      ["billing", "audit", "billing"],
      "events.destinations.2.name: 'billing' appears more than once",
    ],
    [
      ["billing", "stuck"],
      "events.destinations.1.name: 'stuck' is the name of a rule of the stage's own",
    ],
  ])("make no two rules of one name: destinations %s", (names, refused) => {
    const read = () => readParameters("test", stage(destinations(...names)));
    if (refused === undefined) expect(read).not.toThrow();
    else expect(read).toThrow(refused);
  });

  it("name a hub once", () => {
    expect(() =>
      readParameters("test", stage({ api, network: given, hubs: [byRoutes, byRoutes] })),
    ).toThrow("hubs: hub 'eu-1' appears more than once");
  });

  it("have to be written for each stage", () => {
    expect(() => readParameters("other", stage({ api }))).toThrow(
      /stage 'other' has no parameters: write .*other\.json/,
    );
  });
});
