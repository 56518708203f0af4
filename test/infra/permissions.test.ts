import { describe, expect, it } from "vitest";
import {
  type Grant,
  grants,
  keyGrant,
  machineGrants,
  platformGrants,
  resources,
  scheduleGrants,
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

  it("lets the API read credentials of sites and webhooks and secrets of tenants, the site controller those of instances, the sender of webhooks theirs, workers outside all secrets, others none", () => {
    const reading = Object.entries(grants).flatMap(([name, held]) =>
      held.flatMap(({ actions, on }) =>
        actions.includes("secretsmanager:GetSecretValue") ? [[name, ...on]] : [],
      ),
    );
    expect(reading).toEqual([
      ["api", "site-secrets", "webhook-secrets", "tenant-secrets"],
      ["site-controller", "instance-secrets"],
      ["webhooks", "webhook-secrets"],
      ["hub-worker", "secrets"],
      ["site-worker", "secrets"],
    ]);
  });
});
