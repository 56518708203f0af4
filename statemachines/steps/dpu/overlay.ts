import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../core/error.ts";
import { written } from "../../../core/kernel/events/rewrite.ts";
import { overlayEndKey } from "../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { optimisticallyFenced } from "../../../core/kernel/store/optimistically.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { endsOf, hasVersion, overlaysOf } from "../../../core/resources/dpu/ends.ts";
import { leafOf } from "../../../core/resources/dpu/leaf.ts";
import type { Dpu, DpuStand } from "../../../core/resources/dpu/model.ts";
import {
  adminNetwork,
  appliedInWords,
  hasApplied,
  hasStood,
  wanting,
} from "../../../core/resources/dpu/network.ts";
import {
  isSamePlace,
  type OverlayPlace,
  overlayNetwork,
  standsOf,
} from "../../../core/resources/dpu/overlay.ts";

/**
 * The configurations of DPUs in overlays. Each is requested again whenever its inputs have changed.
 */

/** A site's network of free hosts. */
type Admin = Parameters<typeof adminNetwork>[1];
type Step = Pick<StepContext<never>, "deps" | "fence" | "operation">;

const networksIn = (stands: readonly DpuStand[] = []): Set<string> =>
  new Set(stands.map(({ network }) => network));

/** Changes a DPU under the fence of the attempt; `edit` answers the same DPU for no change. */
async function changeDpu(
  id: string,
  { deps, fence }: Pick<Step, "deps" | "fence">,
  edit: (dpu: Dpu) => Promise<{ after: Dpu; writes?: Write[] }>,
): Promise<void> {
  await optimisticallyFenced(deps.store, fence(), async () => {
    const dpu = await mustLoad(deps, "dpu", id);
    const { after, writes = [] } = await edit(dpu);
    if (after === dpu && writes.length === 0) return { writes: [], result: undefined };
    return { writes: [...written(deps, dpu, after).writes, ...writes], result: undefined };
  });
}

/** The DPU with the configuration that follows from its NICs' subnets and the records of their networks. */
async function withOverlay(
  dpu: Dpu,
  { deps }: Pick<Context, "deps">,
  operation?: string,
): Promise<Dpu> {
  const { stands } = dpu;
  const leaf = leafOf(dpu);
  if (!stands || !leaf) return dpu;
  // Only the other ends of the network need the NIC's previous place.
  const { former: _, ...there } = dpu;
  const overlays = await overlaysOf(deps, networksIn(stands), there);
  const host = overlayNetwork(stands, overlays);
  const wanter = operation ?? dpu.wanted?.for;
  return wanting(dpu, { leaf, ...(wanter !== undefined && { for: wanter }), host });
}

/**
 * Puts the NICs behind a DPU into subnets, as a new version for this operation, and updates the other ends of
 * the networks.
 */
export async function stand(id: string, stands: DpuStand[], context: Step): Promise<void> {
  await changeDpu(id, context, async (dpu) => {
    const to = moved(dpu, withExternal(stands, dpu));
    const after = await withOverlay(to, context, context.operation.id);
    const from = after.stands_from ?? after.wanted?.version;
    return {
      after: { ...after, ...(from !== undefined && { stands_from: from }) },
      writes: [...networksIn(stands)].map((network) => ({
        put: { ...overlayEndKey(network, id) },
      })),
    };
  });
  for (const network of networksIn(stands)) await renewEnds(network, context, id);
}

/**
 * The DPU with its NICs in these places. The other ends allow the previous places as well, until
 * the DPU has reported the move. A place that the DPU never received is dropped without a report.
 */
function moved(dpu: Dpu, stands: DpuStand[]): Dpu {
  const { stands: had, stands_from: from, former, leaving: left, ...rest } = dpu;
  if (areSame(had, stands)) return { ...dpu, stands };
  const isUngiven = from !== undefined && (dpu.given_version ?? 0) < from;
  const leaving = [
    ...networksIn(standsOf(dpu)).union(new Set(left)).difference(networksIn(stands)),
  ];
  const after = { ...rest, stands, ...(leaving.length > 0 && { leaving }) };
  if (isUngiven && former && areSame(former.stands, stands))
    return { ...after, ...(former.from !== undefined && { stands_from: former.from }) };
  if (!had) return after;
  const before = { stands: standsOf(dpu), ...(from !== undefined && { from }) };
  return { ...after, former: before };
}

const areSame = (some: readonly DpuStand[] | undefined, others: readonly DpuStand[]): boolean => {
  const inside = (all: readonly DpuStand[]) => all.map(({ external: _, ...stand }) => stand);
  return some !== undefined && isDeepStrictEqual(inside(some), inside(others));
};

/** Requests again the configuration that follows from the present subnets of a DPU's NICs. */
export const standAgain = (id: string, context: Step): Promise<void> =>
  changeDpu(id, context, async (dpu) => ({ after: await withOverlay(dpu, context) }));

/** The places, with the external IPs that are already routed to their addresses. */
const withExternal = (stands: readonly DpuStand[], { stands: before = [] }: Dpu): DpuStand[] =>
  stands.map((to) => {
    const external = before.find((from) => isSamePlace(from, to))?.external;
    return external ? { ...to, external } : to;
  });

/** Makes a DPU route an external IP to an address behind it. */
export const leadTo = (
  id: string,
  to: OverlayPlace,
  external: NonNullable<DpuStand["external"]>,
  context: Step,
): Promise<void> =>
  changeStands(id, context, (each) => (isSamePlace(each, to) ? { ...each, external } : each));

/** Removes the route of this attachment's external IP from a DPU. */
export const leadNowhere = (id: string, attachment: string, context: Step): Promise<void> =>
  changeStands(id, context, ({ external, ...rest }) =>
    external && external.attachment !== attachment ? { ...rest, external } : rest,
  );

const changeStands = (
  id: string,
  context: Step,
  change: (each: DpuStand) => DpuStand,
): Promise<void> =>
  changeDpu(id, context, async (dpu) => {
    const stands = dpu.stands?.map(change);
    if (!stands || isDeepStrictEqual(stands, dpu.stands)) return { after: dpu };
    return { after: await withOverlay({ ...dpu, stands }, context) };
  });

/** Requests again, from the present records, the configuration of every end of a network. */
export async function renewEnds(network: string, context: Step, except?: string): Promise<void> {
  for (const { id } of await endsOf(context.deps, network))
    if (id !== except)
      await changeDpu(id, context, async (dpu) => ({ after: await withOverlay(dpu, context) }));
}

/** The first end of a network that has not reported a version yet, in words. */
export async function lateEnd(
  network: string,
  { id, version }: { id: string; version: number },
  { deps }: Pick<Context, "deps">,
): Promise<string | undefined> {
  const late = (await endsOf(deps, network)).find((dpu) => !hasVersion(dpu, id, version));
  return late && overlayInWords(late);
}

/** The DPUs that have a part of a network, or may still have one. */
export async function endsHaving(
  network: string,
  id: string,
  { deps }: Pick<Context, "deps">,
): Promise<Dpu[]> {
  return (await endsOf(deps, network)).filter((dpu) => !hasApplied(dpu) || has(dpu, id));
}

const has = ({ wanted }: Dpu, id: string): boolean =>
  wanted?.host?.network === "overlay" && id in wanted.host.versions;

/** What a step waits for of a DPU, in words. */
export const overlayInWords = (dpu: Dpu): string =>
  `DPU ${dpu.metadata.name} to apply version ${dpu.wanted?.version}; ${appliedInWords(dpu)}`;

/** Moves the NICs behind a DPU from every subnet to the network of free hosts. */
export async function standNowhere(id: string, admin: Admin, context: Step): Promise<void> {
  await changeDpu(id, context, async (dpu) => {
    const { stands, stands_from: _, former: __, ...rest } = dpu;
    const leaf = leafOf(dpu);
    if (!leaf) throw new AppError("Rejected", `expected DPU ${id} to be a leaf; it has no numbers`);
    const left = [...networksIn(stands).union(new Set(dpu.leaving))];
    const gone: Dpu = stands ? { ...rest, leaving: left } : dpu;
    const host = adminNetwork(dpu.spec, admin);
    return { after: wanting(gone, { leaf, for: context.operation.id, host }) };
  });
}

/**
 * Removes a DPU from the ends of the networks that it has left by its own report, after an update of the other
 * ends: if an attempt dies between the two, the next one repeats both.
 */
export async function leaveEnds({ id }: Dpu, context: Step): Promise<void> {
  const left = await standNoLonger(id, context);
  for (const network of left) await renewEnds(network, context, id);
  await changeDpu(id, context, async (dpu) => {
    const { leaving, ...after } = dpu;
    if (!hasLeft(dpu) || !isDeepStrictEqual(leaving, left)) return { after: dpu };
    const gone = new Set(left).difference(networksIn(dpu.stands));
    return { after, writes: [...gone].map((network) => ({ delete: overlayEndKey(network, id) })) };
  });
}

const hasLeft = (dpu: Dpu): boolean => hasApplied(dpu) || hasStood(dpu);

/**
 * Drops the DPU's previous places once it has reported the move. Answers the networks whose other ends need an
 * update; the DPU may still be in one of them, in another place.
 */
async function standNoLonger(id: string, context: Step): Promise<string[]> {
  let left: string[] = [];
  await changeDpu(id, context, async (dpu) => {
    const { former, leaving = [], ...rest } = dpu;
    left = hasLeft(dpu) ? [...networksIn(former?.stands).union(new Set(leaving))] : [];
    return { after: former && left.length > 0 ? { ...rest, leaving: left } : dpu };
  });
  return left;
}
