import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readParameters } from "../../infra/parameters.ts";

const issuer = { issuer: "https://login.example.com", audiences: ["slipway"] };
const api = { issuers: [issuer] };

function stage(parameters: object): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-stages-"));
  writeFileSync(join(folder, "test.json"), JSON.stringify(parameters));
  return folder;
}

const only = (change: object) => ({ api: { issuers: [{ ...issuer, ...change }] } });

describe("a stage's parameters", () => {
  it("need an issuer and an audience; the rest is usual", () => {
    expect(readParameters("test", stage({ api }))).toMatchObject({
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
    ["api.authorizer", { api: { ...api, authorizer: "lambda" } }],
    ["table", { api, table: "a table" }],
    ["warmThroughput.writes", { api, warmThroughput: { reads: 12_000, writes: 3999 } }],
    ["hostedZones", { api, hostedZones: ["Z0123456789"] }],
    ["alarms.email", { api, alarms: { email: "nobody" } }],
  ])("that are wrong are refused by name: %s", (path, parameters) => {
    const escaped = path.replaceAll(".", String.raw`\.`);
    expect(() => readParameters("test", stage(parameters))).toThrow(
      new RegExp(`is not right:\n[^]*^ {2}${escaped}: `, "m"),
    );
  });

  it("name a hub once", () => {
    const hub = { id: "eu-1", reach: { by: "routes" } };
    expect(() => readParameters("test", stage({ api, hubs: [hub, hub] }))).toThrow(
      "hubs: hub 'eu-1' appears more than once",
    );
  });

  it("have to be written for each stage", () => {
    expect(() => readParameters("other", stage({ api }))).toThrow(
      /stage 'other' has no parameters: write .*other\.json/,
    );
  });
});
