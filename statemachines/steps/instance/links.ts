import { linksOf } from "../../../core/at-site/owner.ts";
import type { HostLink } from "../../../core/ports/fabric/fabric.ts";
import { linksByStand } from "../../../core/resources/baremetal-instance/members.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import type { Host } from "../../../core/resources/host/model.ts";

/** The host's cabling, grouped by subnet in the order of `stands`. */
export function linksIn(stands: BaremetalInstance["stands"], host: Host): HostLink[][] {
  const names = host.spec.nics.map(({ name }) => name);
  return linksByStand(
    stands,
    linksOf(host).map((link, n) => ({ name: names[n] ?? "", link })),
  );
}
