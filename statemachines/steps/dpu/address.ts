import { minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome } from "../../../core/kernel/saga/saga.ts";
import { isWithin } from "../../../core/prefix.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { awaitedOfBoot, continueBoot, startingUntil } from "../host/boot.ts";
import { machinesAt, needed } from "../machine/site.ts";
import { dpusOf } from "./of-host.ts";
import { refuseAway } from "./refuse-away.ts";

/**
 * The addresses that a host's NICs received through a DPU's DHCP relay, as reported since the host's present boot.
 */
function leasesOf({ spec, server }: Host, { applied }: Dpu): { nic: string; address: string }[] {
  const { since } = server?.boot ?? {};
  if (!applied || since === undefined || applied.at < since) return [];
  return (applied.leases ?? []).flatMap(({ mac, address }) =>
    spec.nics.filter((nic) => nic.mac === mac).map(({ name: nic }) => ({ nic, address })),
  );
}

async function isAdvertised(host: Host, context: Context): Promise<Outcome> {
  const { cidr } = needed(await machinesAt(context.deps, host.spec), "admin_network");
  const leases = (await dpusOf(host, context)).flatMap((dpu) =>
    leasesOf(host, dpu).map((lease) => ({ ...lease, dpu })),
  );
  const stray = leases.find(({ address }) => !isWithin(cidr, `${address}/32`));
  if (stray)
    throw new AppError(
      "Rejected",
      `expected an address in ${cidr} for NIC ${stray.nic}; DHCP gave it ${stray.address}`,
    );
  const waits = (what: string, seen: string) => awaitedOfBoot(host, context, { what, seen });
  if (leases.length === 0)
    return waits("a DPU to report which address DHCP gave a NIC of the host", "none has reported");
  const open = leases.find(
    ({ address, dpu }) => !dpu.applied?.advertised?.includes(`${address}/32`),
  );
  if (!open) return done;
  const { nic, address, dpu } = open;
  const what = `DPU ${dpu.metadata.name} to advertise ${address}, the address of ${nic}`;
  return waits(what, "it does not");
}

async function look(host: Host, context: StepContext<Host>): Promise<void> {
  await continueBoot(host, context);
  await refuseAway(await dpusOf(host, context), context, () => true);
}

/**
 * Waits until the host's admin network address is known and its DPUs advertise it, so that the host is reachable
 * before the image that it boots reports.
 */
export const advertiseAddress: StepAction<Host> = {
  ...startingUntil(isAdvertised, minutes(1)),
  act: look,
  look,
};
