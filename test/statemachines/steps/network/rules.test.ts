import { describe, expect, it } from "vitest";
import { minutes, timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { asOperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { done, pending } from "../../../../core/kernel/saga/saga.ts";
import type { Removal } from "../../../../core/ports/fabric/fabric.ts";
import type { AppliedRules, GroupRules, Networks } from "../../../../core/ports/network/network.ts";
import type { Dpu } from "../../../../core/resources/dpu/model.ts";
import type { SecurityGroup } from "../../../../core/resources/security-group/model.ts";
import { applied, applyRules, removeRules } from "../../../../statemachines/steps/network/rules.ts";
import { askAgain } from "../../../../statemachines/steps/site/site.ts";
import { testDeps } from "../../../support/deps.ts";
import { applying, dpuRecord, overlayRecord, putEnd } from "../../../support/dpu-record.ts";
import { subnetRecord } from "../../../support/network-records.ts";
import { addHub, hostRecord } from "../../../support/placement.ts";

/** The rules of a security group: where they apply, and since which version. */

const metadataOf = (name: string) => ({ ...subnetRecord(name).metadata });
const group = (id: string, more: Partial<SecurityGroup> = {}): SecurityGroup => ({
  ...{ kind: "security_group", id, metadata: metadataOf(id), generation: 0, revision: 1 },
  spec: { virtual_network: { id: "shop", name: "shop" }, ingress: [], egress: [] },
  status: { state: "SECURITY_GROUP_STATE_PENDING", wanted_version: 1 },
  ...{ infra_id: `g-${id}`, network_infra_id: "n-shop", wanted: 2 },
  event: subnetRecord(id).event,
  ...more,
});
const rule = { protocol: "PROTOCOL_TCP" } as const;
/** What names the group itself and another one. */
const spec: SecurityGroup["spec"] = {
  virtual_network: { id: "shop", name: "shop" },
  ingress: [{ ...rule, security_group: { id: "web", name: "web" } }],
  egress: [
    { ...rule, security_group: { id: "db", name: "db" } },
    { ...rule, ipv4_cidr: "10.0.0.0/8" },
  ],
};
const atSite = { site: { id: "site-1", parts: {} } };

const silentServers = {
  open: async () => {
    throw new AppError("Unavailable", "its controller does not answer");
  },
};

/** A group, the networks of its site, and the ends of its overlay. */
async function opened(more: Partial<SecurityGroup>, ...ends: Partial<Dpu>[]) {
  const answers: { applies: AppliedRules; removes: Removal } = {
    applies: { state: "applied", version: 2 },
    removes: { state: "absent" },
  };
  const asked: GroupRules[] = [];
  const networks = {
    ensureGroup: async (_: unknown, rules: GroupRules) => {
      asked.push(rules);
      return answers.applies;
    },
    removeGroup: async () => answers.removes,
  } as Partial<Networks> as Networks;
  const site = { id: "site-1" } as never;
  const deps = testDeps({
    sites: { systems: async () => ({ site, networks }) },
    servers: silentServers,
  });
  await addHub(deps, "hub");
  const web = group("web", more);
  await deps.store.transact(putNew(deps.kinds, web));
  await deps.store.transact(putNew(deps.kinds, group("db")));
  await deps.store.transact(putNew(deps.kinds, overlayRecord("shop")));
  await deps.store.transact(putNew(deps.kinds, subnetRecord("one", { ipv4_cidr: "10.20.1.0/24" })));
  for (const [n, end] of ends.entries()) {
    const dpu = dpuRecord(`dpu-${n}`, { heard_at: timestamp(deps.clock.now()), ...end });
    const host = hostRecord(dpu.spec.host.id, "hub", "metal");
    await deps.store.transact([...putNew(deps.kinds, host), ...putEnd("shop", dpu)]);
  }
  // Nothing else of a step is asked for.
  const context = {
    ...{ deps, fence: () => [], operation: { id: asOperationId("o1") } },
    change: (edit: (group: SecurityGroup) => SecurityGroup | undefined) =>
      changeObject(deps, "security_group", "web", edit),
  } as unknown as StepContext<SecurityGroup>;
  const load = () => mustLoad(deps, "security_group", "web");
  return { deps, context, web, answers, asked, load };
}

describe("at a site", () => {
  it("the rules are asked for with the groups that they name, and noted as applied", async () => {
    const { context, web, asked, load } = await opened({ ...atSite, spec });
    await applyRules(web, context);
    expect(asked).toEqual([
      {
        version: 2,
        rules: [
          expect.objectContaining({ direction: "ingress", family: "ipv4" }),
          expect.objectContaining({ direction: "ingress", family: "ipv6" }),
          expect.objectContaining({ direction: "egress", family: "ipv4" }),
          expect.objectContaining({ direction: "egress", family: "ipv6" }),
          expect.objectContaining({ direction: "egress", remote: { cidr: "10.0.0.0/8" } }),
        ],
      },
    ]);
    const names = asked[0]?.rules.map(({ remote }) => "group" in remote && remote.group.name);
    expect(names).toEqual(["g-web", "g-web", "g-db", "g-db", false]);
    const { applied: version, site } = await load();
    expect(version).toBe(2);
    expect(site?.parts.rules).toMatchObject({ state: "done", message: "" });
  });

  it("what the site waits for is noted, and an older version applies meanwhile", async () => {
    const { context, web, answers, load } = await opened({ ...atSite, applied: 1 });
    answers.applies = { state: "pending", message: "port p1 has the former rules" };
    await applyRules(web, context);
    const now = await load();
    expect(now.applied).toBe(1);
    expect(now.site?.parts.rules).toMatchObject({
      state: "pending",
      message: "port p1 has the former rules",
    });
    const waits = pending("port p1 has the former rules", askAgain);
    expect(await applied(now, context)).toEqual(waits);
    answers.applies = { state: "applied", version: 1 };
    await applyRules(web, context);
    expect(await applied(await load(), context)).toEqual(
      pending("every end to apply the rules", askAgain),
    );
  });

  it("the part is begun before the site is asked, so that an undo looks for it", async () => {
    const { context, web, load } = await opened({ ...atSite, spec });
    const refused = {
      ...web,
      spec: { ...spec, egress: [{ ...rule, security_group: { id: "x", name: "x" } }] },
    };
    await expect(applyRules(refused, context)).rejects.toMatchObject({ kind: "NotFound" });
    expect((await load()).site?.parts.rules).toMatchObject({
      state: "pending",
      message: "its rules",
    });
  });

  it("rules that are gone apply no more; what they wait for is noted", async () => {
    const parts = { rules: { state: "done", message: "", at: "" } } as const;
    const { context, web, answers, load } = await opened({
      ...{ site: { id: "site-1", parts }, applied: 2 },
    });
    answers.removes = { state: "pending", message: "port p1 has it" };
    await removeRules(web, context);
    expect(await load()).toMatchObject({
      ...{ applied: 2, site: { parts: { rules: { message: "port p1 has it" } } } },
    });
    answers.removes = { state: "absent" };
    await removeRules(web, context);
    const now = await load();
    expect(now).not.toHaveProperty("applied");
    expect(now.site?.parts).toEqual({});
    await removeRules(now, context);
    expect(await load()).toEqual(now);
  });
});

describe("in an overlay", () => {
  const stand = {
    ...{ mac: "52:54:00:00:00:01", port: "pf0", network: "shop", subnet: "one" },
    ...{ address: "10.20.1.10", groups: ["web"], isPrimary: true },
  };

  it("the rules are desired of each end, and apply once all have told that they have them", async () => {
    const { deps, context, web, load } = await opened({ applied: 1 }, { stands: [stand] });
    await applyRules(web, context);
    const dpu = await mustLoad(deps, "dpu", "dpu-0");
    expect(dpu.wanted).toMatchObject({ host: { versions: { web: 2 } } });
    expect((await load()).applied).toBe(1);
    const says = "DPU dpu-0 to apply version 1; it has not reported one";
    expect(await applied(await load(), context)).toEqual(pending(says, askAgain));
    await changeObject(deps, "dpu", "dpu-0", applying);
    await applyRules(web, context);
    expect((await load()).applied).toBe(2);
    expect(await applied(await load(), context)).toEqual(done);
  });

  it("an end that nobody hears, as its site is not heard, is waited for", async () => {
    const { deps, context, web } = await opened({}, { stands: [stand] });
    await deps.clock.advance(minutes(16));
    await expect(applyRules(web, context)).rejects.toMatchObject({ kind: "Unavailable" });
  });

  it("nothing is removed: the ends have the rules with their members", async () => {
    const { context, web, load } = await opened({ applied: 2 });
    await removeRules(web, context);
    expect((await load()).applied).toBe(2);
  });
});
