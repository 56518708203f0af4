import { describe, expect, it } from "vitest";
import { tooFewRuns, wrongSubnets } from "../../infra/account.ts";
import { functionNames } from "../../infra/functions.ts";
import { type Parameters, parametersSchema } from "../../infra/parameters.ts";
import { reserves } from "../../infra/reserves.ts";

const stageWith = (more: object = {}): Parameters =>
  parametersSchema.parse({
    api: { issuers: [{ issuer: "https://login.example.com", audiences: ["slipway"] }] },
    network: { vpc: "own" },
    ...more,
  });

describe("the account's concurrent runs", () => {
  const parameters = stageWith({ concurrency: { hub: 70, site: 30 } });
  const reserved = Object.values(reserves(parameters)).reduce((sum, { runs }) => sum + runs, 0);

  it("are enough when 100 are left beside what is reserved", () => {
    expect(tooFewRuns("prod", parameters, reserved + 100)).toBeUndefined();
  });

  it("are too few with one less: it says what needs how many, by which parameter, and what to do", () => {
    const said = tooFewRuns("prod", parameters, reserved + 99);
    for (const word of [
      `allows ${reserved + 99} `,
      `needs ${reserved + 100}`,
      "hub-worker 70 (concurrency.hub)",
      "site-worker 30 (concurrency.site)",
      "stages/prod.json",
      "--quota-code L-B99A9384",
    ])
      expect(said).toContain(word);
  });
});

describe("the runs that are reserved", () => {
  const given = { vpc: "given", id: "vpc-1", subnets: ["subnet-1"], routeTables: ["rtb-1"] };
  const network = { ...given, endpoints: "given" };
  const withMachines = stageWith({
    network,
    machines: { from: ["10.8.0.0/16"], concurrency: 7 },
  });

  it("of machines are their own, and count among those that the account must allow", () => {
    const { "site-controller": ofMachines } = reserves(withMachines);
    expect(ofMachines).toEqual({ runs: 7, by: "machines.concurrency" });
    expect(reserves(stageWith())).not.toHaveProperty("site-controller");
    expect(tooFewRuns("prod", withMachines, 100)).toContain(
      "site-controller 7 (machines.concurrency)",
    );
  });

  it("leave the rest of the account to functions that nobody outside calls as often as they like", () => {
    const reserved = new Set(Object.keys(reserves(withMachines)));
    // The authorizer is called for requests alone that the API's gateway lets through.
    expect(functionNames.filter((name) => !reserved.has(name)).toSorted()).toEqual(
      ["authorizer", "core-worker", "halted", "observe", "relay"].toSorted(),
    );
  });
});

describe("the subnets of a network that is given", () => {
  const given = (more: object = {}) => ({
    vpc: "given",
    id: "vpc-1",
    subnets: ["subnet-1", "subnet-2"],
    routeTables: ["rtb-1"],
    ...more,
  });
  const at = (...zones: string[]) =>
    zones.map((availabilityZone, n) => ({
      id: `subnet-${n + 1}`,
      vpcId: "vpc-1",
      availabilityZone,
    }));
  const lattice = `arn:aws:vpc-lattice:us-east-1:123456789012:resourceconfiguration/rcfg-1`;
  const hubs = [{ id: "eu-1", reach: { by: "lattice", resourceConfiguration: lattice } }];

  it.each([
    ["of two zones", { network: given() }, at("a", "b"), undefined],
    [
      "of one zone",
      { network: given() },
      at("a", "a"),
      /subnet-1 and subnet-2 are both of a.*one subnet of a zone/,
    ],
    [
      "of one zone, without endpoints",
      { network: given({ endpoints: "given" }) },
      at("a", "a"),
      undefined,
    ],
    [
      "of one zone, with an endpoint for a hub",
      { network: given({ endpoints: "given" }), hubs },
      at("a", "a"),
      /one subnet of a zone/,
    ],
    [
      "of another network",
      { network: given() },
      at("a", "b").map((subnet) => ({ ...subnet, vpcId: "vpc-2" })),
      /subnet-1 is of vpc-2, not of vpc-1/,
    ],
  ])("%s", (_, parameters, subnets, said) => {
    const wrong = wrongSubnets(stageWith(parameters), subnets);
    if (said === undefined) expect(wrong).toBeUndefined();
    else expect(wrong).toMatch(said);
  });
});
