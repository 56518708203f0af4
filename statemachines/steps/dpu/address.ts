import { minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { isWithin } from "../../../core/prefix.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { machinesAt, needed } from "../machine/site.ts";
import { systems } from "../systems.ts";
import { dpusOf } from "./of-host.ts";

/** Reports wake the step; this is for those that got lost. */
const ownLook = seconds(30);

/** The addresses that NICs of a host have got by the relay of a DPU, as it has told since the host's present boot. */
function leasesOf({ spec, server }: Host, { applied }: Dpu): { nic: string; address: string }[] {
  if (!applied || applied.at < (server?.boot?.since ?? "")) return [];
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
  if (leases.length === 0)
    return pending("a DPU to tell which address DHCP gave a NIC of the host", ownLook);
  const open = leases.find(
    ({ address, dpu }) => !dpu.applied?.advertised?.includes(`${address}/32`),
  );
  if (!open) return done;
  const { nic, address, dpu } = open;
  return pending(
    `DPU ${dpu.metadata.name} to advertise ${address}, the address of ${nic}`,
    ownLook,
  );
}

/** The host's address on the admin network is known, and its DPUs advertise it: so the host can be reached. */
export const advertiseAddress: Action<Host> = {
  system: systems.dpu,
  effects: "none",
  until: isAdvertised,
  deadline: minutes(15),
  usually: seconds(30),
};
