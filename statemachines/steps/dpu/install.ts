import { minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { isWithin } from "../../../core/prefix.ts";
import { dpuDifferences } from "../../../core/resources/dpu/differences.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { machinesAt, needed } from "../machine/site.ts";
import { awaitingDpu } from "./boot.ts";

/** The installation of a DPU. Each step ends with a report of the DPU. */

const installer = awaitingDpu(
  { words: "its request for the boot script", has: ({ told }) => told?.boot !== undefined },
  minutes(3),
);

/** Boots the installer from the network, by the DPU's controller. */
export const bootInstaller: StepAction<Dpu> = {
  ...installer,
  async act(dpu, context) {
    const here = await machinesAt(context.deps, dpu);
    for (const member of ["loader", "bfb", "admin_network"] as const) needed(here, member);
    await installer.act?.(dpu, context);
  },
};

const addressed = awaitingDpu(
  { words: "an address from DHCP", has: ({ told }) => told?.address !== undefined },
  seconds(20),
);

/** Waits until the DPU has an address in the site's management network. */
export const getAddress: StepAction<Dpu> = {
  ...addressed,
  async until(dpu, context) {
    const { address } = dpu.told ?? {};
    const { machines } = await machinesAt(context.deps, dpu);
    const cidr = machines.management_network?.cidr;
    if (address && cidr !== undefined && !isWithin(cidr, `${address.is}/32`))
      throw new AppError("Rejected", `expected an address in ${cidr}; DHCP gave it ${address.is}`);
    return addressed.until?.(dpu, context) ?? { done: true };
  },
};

/** The image requests its seed once it has started. */
export const loadImage = awaitingDpu(
  { words: "the image's request for its seed", has: ({ told }) => told?.seed !== undefined },
  minutes(5),
);

export const runCloudInit = awaitingDpu(
  { words: "cloud-init to have run", has: ({ told }) => told?.phone_home !== undefined },
  minutes(5),
);

const discovered = awaitingDpu(
  { words: "its discovery report", has: ({ told }) => told?.discovery !== undefined },
  seconds(30),
);

/** Compares the DPU with its record, because a wrong DPU would connect a host to another host's network. */
export const reportDiscovery: StepAction<Dpu> = {
  ...discovered,
  async until(dpu, context) {
    const report = dpu.told?.discovery;
    if (report) await refuseOther(dpu, context);
    return discovered.until?.(dpu, context) ?? { done: true };
  },
};

async function refuseOther(dpu: Dpu, { deps }: Pick<Context, "deps">): Promise<void> {
  const host = await mustLoad(deps, "host", dpu.spec.host.id);
  const [first, ...more] = dpuDifferences(dpu, host);
  if (!first) return;
  const others = more.length > 0 ? `; ${more.length} more differ` : "";
  throw new AppError(
    "Rejected",
    `expected ${first.field} ${first.expected}; the DPU reports ${first.seen}${others}`,
  );
}
