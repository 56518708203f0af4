import type { Host } from "../host/model.ts";
import type { ServerDifference } from "../host/server.ts";
import type { Dpu } from "./model.ts";

/**
 * The differences, in words, between a DPU's own report and its record. Pure. While a host is off, its DPU sees
 * none of its NICs, so an unseen NIC is no difference.
 */
export function dpuDifferences(
  { spec, told }: Pick<Dpu, "spec" | "told">,
  host: Host,
): ServerDifference[] {
  const { serial = "none", ports = [] } = told?.discovery ?? {};
  const differences: ServerDifference[] = [];
  const compare = (isSo: boolean, field: string, expected: string, seen: string) => {
    if (!isSo) differences.push({ field, expected, seen });
  };
  compare(serial === spec.serial, "serial number", spec.serial, serial);
  const macsOfHost = new Set(host.spec.nics.map(({ mac }) => mac));
  for (const { name, host_mac: mac } of spec.ports) {
    const port = ports.find((each) => each.name === name);
    compare(
      port !== undefined,
      "a port",
      name,
      ports.map((each) => each.name).join(", ") || "none",
    );
    const seen = port?.host_macs ?? [];
    compare(
      mac === undefined || seen.length === 0 || seen.includes(mac),
      ...([`NIC behind ${name}`, mac ?? "any", seen.join(", ")] as const),
    );
    const foreign = seen.filter((each) => !macsOfHost.has(each));
    compare(
      foreign.length === 0,
      ...([`NIC behind ${name}`, `one of host ${host.metadata.name}`, foreign.join(", ")] as const),
    );
  }
  return differences;
}
