import type { Violation } from "../../error.ts";
import { addressFamily, isWithin } from "../../prefix.ts";
import { type NetworkClassSpec, prefixUses } from "./model.ts";
import { type KeptPrefix, networkLengths, prefixFaultsOf, subnetLengths } from "./prefix-rules.ts";

/** Adds a violation for each fault for which the default networking of new tenants would be refused. Pure. */
export function refuseFaultyDefaults(
  spec: NetworkClassSpec,
  kept: readonly KeptPrefix[],
  violations: Violation[],
): void {
  const { defaults, prefix_pools: pools } = spec;
  if (!defaults) return;
  let isGiven = false;
  for (const family of prefixUses) {
    const [network, subnet] = [
      defaults[`virtual_network_${family}_cidr`],
      defaults[`subnet_${family}_cidr`],
    ];
    const refuse = (of: "virtual_network" | "subnet", message: string) =>
      violations.push({ field: `spec.defaults.${of}_${family}_cidr`, message });
    isGiven ||= network !== undefined;
    if (network !== undefined)
      for (const fault of prefixFaultsOf(network, family, { ...spec, kept }, networkLengths))
        refuse("virtual_network", fault);
    if (subnet === undefined) continue;
    for (const fault of prefixFaultsOf(subnet, family, { allows_public: true }, subnetLengths))
      refuse("subnet", fault);
    if (network === undefined) refuse("subnet", `needs virtual_network_${family}_cidr`);
    else if (addressFamily(subnet) === addressFamily(network) && !isWithin(network, subnet))
      refuse("subnet", `${subnet} is not within ${network}`);
  }
  if (!isGiven && !prefixUses.some((family) => pools?.[family]))
    violations.push({
      field: "spec.defaults",
      message: "needs a prefix for the network, or a class with prefix_pools",
    });
}
