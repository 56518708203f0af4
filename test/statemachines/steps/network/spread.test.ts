import { describe, expect, it } from "vitest";
import { minutes, timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { asOperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { done, pending } from "../../../../core/kernel/saga/saga.ts";
import type { Dpu, DpuStand } from "../../../../core/resources/dpu/model.ts";
import type { Spread } from "../../../../core/resources/network-class/spread.ts";
import type { Subnet } from "../../../../core/resources/subnet/model.ts";
import {
  spreading,
  spreadToEnds,
  withdrawFromEnds,
  withdrawing,
} from "../../../../statemachines/steps/network/spread.ts";
import { askAgain } from "../../../../statemachines/steps/site/site.ts";
import { testDeps } from "../../../support/deps.ts";
import { applying, dpuRecord, overlayRecord, putEnd } from "../../../support/dpu-record.ts";
import { subnetRecord } from "../../../support/network-records.ts";
import { addHub, hostRecord } from "../../../support/placement.ts";

/** A part of an overlay at the ends of its network: each tells which version it has. */

const silentServers = {
  open: async () => {
    throw new AppError("Unavailable", "its controller does not answer");
  },
};

const inWeb: DpuStand = {
  ...{ mac: "52:54:00:00:00:01", port: "pf0", network: "shop", subnet: "web" },
  ...{ address: "10.20.1.10", groups: [], isPrimary: true },
};
const leaf = { asn: 4_200_000_001, loopback: "10.255.0.1" };
/** What an end is to have once it has heard of this version of the subnet. */
const having = (versions: Record<string, number>, version = 1): Pick<Dpu, "wanted"> => ({
  wanted: { leaf, version, host: { network: "overlay", interfaces: [], versions } },
});

/** An action that does nothing by itself. */
const bare = { deadline: minutes(30) };

/** A subnet of an overlay, with ends that are heard now. */
async function opened(spread: Spread | undefined, ...ends: Partial<Dpu>[]) {
  const deps = testDeps({ servers: silentServers });
  await addHub(deps, "hub");
  const now = timestamp(deps.clock.now());
  const web = subnetRecord("web", { ipv4_cidr: "10.20.1.0/24" }, spread && { spread });
  await deps.store.transact([
    ...putNew(deps.kinds, overlayRecord("shop")),
    ...putNew(deps.kinds, web),
  ]);
  for (const [n, end] of ends.entries()) {
    const dpu = dpuRecord(`dpu-${n}`, { heard_at: now, ...end });
    const host = hostRecord(dpu.spec.host.id, "hub", "metal");
    await deps.store.transact([...putNew(deps.kinds, host), ...putEnd("shop", dpu)]);
  }
  // Nothing else of a step is asked for.
  const context = {
    deps,
    fence: () => [],
    operation: { id: asOperationId("o1") },
    change: (edit: (subnet: Subnet) => Subnet | undefined) =>
      changeObject(deps, "subnet", "web", edit),
  } as unknown as StepContext<Subnet>;
  return {
    ...{ deps, context, web },
    load: () => mustLoad(deps, "subnet", "web"),
    dpu: (n = 0) => mustLoad(deps, "dpu", `dpu-${n}`),
    tells: (n: number, what: (dpu: Dpu) => Dpu) => changeObject(deps, "dpu", `dpu-${n}`, what),
  };
}

describe("a subnet that changes", () => {
  it("is desired of each end, and is noted once all have told that they have it", async () => {
    const end = { stands: [inWeb], ...having({ shop: 1, web: 1 }) };
    const { context, web, load, dpu, tells } = await opened({ wanted: 2 }, end, end);
    await spreadToEnds("shop", web, context);
    for (const n of [0, 1])
      expect((await dpu(n)).wanted).toMatchObject({ version: 2, host: { versions: { web: 2 } } });
    await tells(0, applying);
    await spreadToEnds("shop", web, context);
    expect((await load()).spread).toEqual({ wanted: 2 });
    await tells(1, applying);
    await spreadToEnds("shop", web, context);
    expect((await load()).spread).toEqual({ wanted: 2, applied: 2 });
  });

  it.each<[string, Spread | undefined]>([
    ["is of no overlay", undefined],
    ["is at every end", { wanted: 2, applied: 2 }],
  ])("asks nothing of the ends where it %s", async (_, spread) => {
    const { context, web, load, dpu } = await opened(spread, { stands: [inWeb] });
    await spreadToEnds("shop", web, context);
    expect((await dpu()).wanted).toBeUndefined();
    expect((await load()).spread).toEqual(spread);
  });

  it("and has changed again meanwhile is not noted as it was", async () => {
    const { context, web, load } = await opened({ wanted: 2 });
    await spreadToEnds("shop", { ...web, spread: { wanted: 1 } }, context);
    expect((await load()).spread).toEqual({ wanted: 2 });
  });

  it("waits for an end that nobody hears, as its site is not heard", async () => {
    const { deps, context, web } = await opened({ wanted: 2 }, { stands: [inWeb] });
    await deps.clock.advance(minutes(16));
    await expect(spreadToEnds("shop", web, context)).rejects.toMatchObject({
      kind: "Unavailable",
      message: "DPU dpu-0 is silent as its site is, and its controller does not answer",
    });
  });
});

describe("a subnet that goes", () => {
  it.each<[string, Partial<Dpu>, boolean]>([
    ["nothing of it", having({ shop: 1 }), false],
    ["it still", having({ shop: 1, web: 1 }), true],
    ["nothing of any tenant", {}, false],
    [
      "the network of hosts that nobody has",
      {
        wanted: {
          ...{ leaf, version: 1 },
          host: { network: "admin", cidr: "", gateway: "", dhcp: "relay", ports: [] },
        },
      },
      false,
    ],
    ["left its network, and has not told so", { leaving: ["shop"] }, true],
    ["left another network", { leaving: ["other"] }, false],
  ])("is noted, and done, once no end has %s: %#", async (_, end, has) => {
    const { context, web, load } = await opened({ wanted: 2, applied: 2 }, {}, end, end);
    const { until } = withdrawing<Subnet>(bare, () => "shop");
    await withdrawFromEnds("shop", web, context);
    expect((await load()).spread).toEqual(has ? { wanted: 2, applied: 2 } : { wanted: 2 });
    const waiting = "DPU dpu-1 to report that it has removed everything of it";
    expect(await until?.(web, context)).toEqual(has ? pending(waiting, askAgain) : done);
  });

  it("and was at no end is not written again", async () => {
    const { deps, context, web } = await opened({ wanted: 2 });
    const before = deps.store.stream(undefined, 1000).length;
    await withdrawFromEnds("shop", web, context);
    expect(deps.store.stream(undefined, 1000)).toHaveLength(before);
  });

  it("waits for an end that nobody hears, as its site is not heard", async () => {
    const { deps, context, web } = await opened({ wanted: 2 }, having({ web: 2 }));
    await deps.clock.advance(minutes(16));
    await expect(withdrawFromEnds("shop", web, context)).rejects.toMatchObject({
      kind: "Unavailable",
    });
  });
});

describe("the steps of what may be in an overlay", () => {
  const overlay: Spread = { wanted: 2 };
  const waits = pending("the fabric", askAgain);

  it.each<[string, typeof spreading, Spread | undefined, string[]]>([
    ["a change in an overlay is made anew", spreading, overlay, ["act"]],
    ["a change elsewhere is looked at", spreading, undefined, ["look"]],
    ["a removal in an overlay is made anew", withdrawing, overlay, ["act"]],
    ["a removal elsewhere is looked at", withdrawing, undefined, ["look"]],
  ])("%s at each look", async (_, step, spread, expected) => {
    const { context, web } = await opened(spread);
    const calls: string[] = [];
    const note = (call: string) => async () => void calls.push(call);
    await step<Subnet>({ ...bare, act: note("act"), look: note("look") }, () => "shop").look?.(
      web,
      context,
    );
    expect(calls).toEqual(expected);
    await expect(step<Subnet>(bare, () => "shop").look?.(web, context)).resolves.toBeUndefined();
  });

  it.each([spreading, withdrawing])("have the time of the step as it is elsewhere", (step) => {
    expect(step<Subnet>(bare, () => "shop").deadline).toBe(bare.deadline);
  });

  it.each([spreading, withdrawing])("elsewhere the step ends as it says itself", async (step) => {
    const { context, web } = await opened(undefined);
    const until: StepAction<Subnet>["until"] = () => waits;
    expect(await step<Subnet>({ ...bare, until }, () => "shop").until?.(web, context)).toEqual(
      waits,
    );
    expect(await step<Subnet>(bare, () => "shop").until?.(web, context)).toEqual(done);
  });

  it("a change ends once it is noted that every end has it", async () => {
    const { until } = spreading<Subnet>({ ...bare, until: () => waits }, () => "shop");
    const late = await opened({ wanted: 2, applied: 1 }, having({ web: 2 }, 3));
    const says = "DPU dpu-0 to apply version 3; it has not reported one";
    expect(await until?.(late.web, late.context)).toEqual(pending(says, askAgain));
    const told = await opened(
      { wanted: 2, applied: 1 },
      applying(dpuRecord("dpu-0", having({ web: 2 }, 3))),
    );
    expect(await until?.(told.web, told.context)).toEqual(pending("its ends", askAgain));
    const noted = { ...late.web, spread: { wanted: 2, applied: 2 } };
    expect(await until?.(noted, late.context)).toEqual(done);
  });
});
