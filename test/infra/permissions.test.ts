import { describe, expect, it } from "vitest";
import { isOfPattern } from "../../core/kernel/store/rights.ts";
import type { SecretUse } from "../../core/ports/secrets/rights.ts";
import {
  type SecretFamily,
  secretFamilies,
  secretFamilyNames,
} from "../../core/ports/secrets/secrets.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { environments, type Variable } from "../../functions/environment.ts";
import { secretRights } from "../../functions/runtime/secret-rights.ts";
import { storeParts, storeRights, writtenBy } from "../../functions/runtime/store-rights.ts";
import { functionNames } from "../../infra/functions.ts";
import {
  type Grant,
  grants,
  keyGrant,
  machineGrants,
  platformGrants,
  type Resource,
  resources,
  scheduleGrants,
  secretPatterns,
  withoutResource,
  zoneGrants,
} from "../../infra/permissions.ts";

/** The variable by which a function knows a resource. */
const variables: Partial<Record<Resource, Variable>> = {
  table: "TABLE",
  ...{ machines: "STATE_MACHINES", executions: "STATE_MACHINES" },
  ...{ bus: "BUS", "hubs-bus": "HUBS_BUS" },
  ...{ "webhook-queue": "WEBHOOK_QUEUE", "recheck-queue": "RECHECK_QUEUE" },
  ...{ "core-worker": "CORE_WORKER", "hub-worker": "HUB_WORKER", "site-worker": "SITE_WORKER" },
  due: "DUE",
};
const variableOf = (resource: Resource): Variable | undefined => {
  if (resource.startsWith("index ")) return "TABLE";
  return resource.startsWith("secrets of ") ? "SECRETS_PREFIX" : variables[resource];
};
const namesResource = new Set<string>([...Object.values(variables), "SECRETS_PREFIX"]);

const isWrite = (action: string) => /^dynamodb:(Put|Update|Delete)Item$/.test(action);
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
    const writes = grants.watch.filter(({ actions }) => actions.some(isWrite));
    expect(writes.map(({ partitions }) => partitions)).toEqual([["watch-slot"]]);
  });

  it("lets the site controller write what machines may say, and nothing of tenants' orders, roles and audits", () => {
    const writes = grants["site-controller"].filter(({ actions }) => actions.some(isWrite));
    expect(writes).toEqual([
      {
        actions: ["dynamodb:PutItem"],
        on: ["table"],
        partitions: ["site-reach#*", "baremetal_instance#*", "dpu#*", "host#*"],
      },
    ]);
    const others = grants["site-controller"].filter((grant) => !writes.includes(grant));
    const actions = others.flatMap((grant) => grant.actions);
    expect(actions.sort()).toEqual([
      ...["dynamodb:ConditionCheckItem", "dynamodb:GetItem"],
      ...["lambda:InvokeFunction", "secretsmanager:GetSecretValue"],
    ]);
    // Of all functions the one that has nothing else than what machines reported before.
    expect(others.find((grant) => grant.actions.includes("lambda:InvokeFunction"))?.on).toEqual([
      "core-worker",
    ]);
    for (const { actions, partitions } of others)
      if (actions.some((action) => action.startsWith("dynamodb:")))
        expect(partitions).toBeDefined();
  });

  it.each(functionNames)(
    "writes of %s are of the parts of the table that its code says",
    (name) => {
      const written = grants[name].filter(({ actions }) => actions.some(isWrite));
      const parts = writtenBy(storeRights[name]).flatMap((part) => storeParts[part]);
      expect(written.map(({ partitions }) => partitions)).toEqual(parts.length > 0 ? [parts] : []);
    },
  );

  it("gives nobody but who takes requests, or orders in their name, the audit", () => {
    const having = functionNames.filter((name) =>
      grants[name].some(({ partitions }) => partitions?.includes("audit#*")),
    );
    expect(having).toEqual(["api", "relay"]);
  });

  it("gives nobody but the API who may do what, and what is offered", () => {
    for (const pattern of ["role_binding#*", "member#*", "identity_provider#*", "host_type#*"])
      expect(
        functionNames.filter((name) =>
          grants[name].some(({ partitions }) => partitions?.includes(pattern)),
        ),
      ).toEqual(["api"]);
  });

  it("has each kind's objects, and each partition, in one part of the table", () => {
    const patterns = Object.values(storeParts).flat();
    const of = (pk: string) => patterns.filter((pattern) => isOfPattern(pk, pattern));
    for (const kind of Object.keys(kinds)) expect(of(`${kind}#x`)).toEqual([`${kind}#*`]);
    for (const pattern of patterns) expect(of(pattern.replace("*", "x"))).toEqual([pattern]);
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

  it.each(functionNames)("grants %s what its environment names, and all of it", (name) => {
    // Who answers tasks is not told of machines: the token says which.
    const calls = grants[name].filter(({ actions }) => !actions.includes("states:SendTaskSuccess"));
    const granted = new Set(calls.flatMap(({ on }) => on.map(variableOf)));
    const named = environments[name].filter((variable) => namesResource.has(variable));
    expect([...granted].sort()).toEqual([...named].sort());
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
