import { describe, expect, it } from "vitest";
import type { SecretUse } from "../../core/ports/secrets/rights.ts";
import {
  type SecretFamily,
  secretFamilies,
  secretFamilyNames,
} from "../../core/ports/secrets/secrets.ts";
import { secretRights } from "../../functions/runtime/secret-rights.ts";
import { functionNames } from "../../infra/functions.ts";
import {
  type Grant,
  grants,
  keyGrant,
  machineGrants,
  platformGrants,
  resources,
  scheduleGrants,
  secretPatterns,
  withoutResource,
  zoneGrants,
} from "../../infra/permissions.ts";

const all: Grant[] = [
  ...Object.values(grants).flat(),
  ...Object.values(platformGrants).flat(),
  ...machineGrants,
  ...scheduleGrants,
  ...zoneGrants,
  keyGrant,
];

describe("the table of grants", () => {
  it("has no action with a wildcard", () => {
    const actions = all.flatMap((grant) => grant.actions);
    expect(actions.filter((action) => !/^[a-z0-9]+:[A-Za-z]+$/.test(action))).toEqual([]);
  });

  it("grants on everything only what AWS has no resource for, with the reason", () => {
    const anywhere = all.filter(({ on }) => on.includes("anything"));
    expect(anywhere.filter(({ on }) => on.length > 1)).toEqual([]);
    const actions = new Set(anywhere.flatMap((grant) => grant.actions));
    expect([...actions].sort()).toEqual(Object.keys(withoutResource).sort());
  });

  it("grants on everything nothing that a function's own code does", () => {
    const own = Object.values(grants).flat();
    expect(own.filter(({ on }) => on.includes("anything"))).toEqual([]);
  });

  it("lets the function of watches write nothing but who waits", () => {
    const writes = grants.watch.filter(({ actions }) =>
      actions.some((action) => !/^dynamodb:(Get|BatchGet|Query)/.test(action)),
    );
    expect(writes.map(({ partitions }) => partitions)).toEqual([["watch-slot"]]);
  });

  it("names no resource that nobody is granted anything on", () => {
    const named = new Set(all.flatMap(({ on }) => on));
    expect(resources.filter((resource) => !named.has(resource))).toEqual([]);
  });

  it.each(functionNames)("grants %s the families of secrets of its code, and no other", (name) => {
    const granted = (action: string) =>
      grants[name].flatMap(({ actions, on }) => (actions.includes(action) ? on : []));
    const of = (use: SecretUse) =>
      (secretRights[name][use] as SecretFamily[]).map((family) => `secrets of ${family}`);
    expect(granted("secretsmanager:GetSecretValue")).toEqual(of("read"));
    expect(granted("secretsmanager:CreateSecret")).toEqual(of("write"));
    expect(granted("secretsmanager:PutSecretValue")).toEqual(of("write"));
    expect(granted("secretsmanager:DeleteSecret")).toEqual(of("remove"));
  });

  it("lets the pattern of a family match no name of another", () => {
    for (const { resource, pattern } of secretPatterns) {
      const covers = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
      const covered = secretFamilyNames.filter((family) =>
        covers.test(`${secretFamilies[family].replaceAll("*", "x-1")}/v-1-AbCdEf`),
      );
      expect(covered.map((family) => `secrets of ${family}`)).toEqual([resource]);
    }
  });
});
