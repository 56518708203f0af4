import type { Parameters } from "./parameters.ts";
import { reserves } from "./reserves.ts";

/** Checks that the account meets the needs of a stage. Each check answers the fault, in words. */

/** The id in Service Quotas of Lambda's concurrent executions. */
export const concurrencyQuota = { serviceCode: "lambda", quotaCode: "L-B99A9384" };

/** Lambda refuses reserves that leave fewer runs than this to functions without a reserve. */
const shared = 100;

/** Checks the region's limit of concurrent runs. */
export function tooFewRuns(
  stage: string,
  parameters: Parameters,
  limit: number,
): string | undefined {
  const kept = Object.entries(reserves(parameters));
  const reserved = kept.reduce((sum, [, { runs }]) => sum + runs, 0);
  const needed = reserved + shared;
  if (limit >= needed) return undefined;
  const list = kept.map(([name, { runs, by }]) => `${name} ${runs}${by ? ` (${by})` : ""}`);
  const { serviceCode, quotaCode } = concurrencyQuota;
  return [
    `the account allows ${limit} concurrent runs of Lambda functions in this region, and the stage needs ${needed}:`,
    `${reserved} that are reserved (${list.join(", ")}), and ${shared} that Lambda keeps for all other functions.`,
    `Ask AWS for more (aws service-quotas request-service-quota-increase --service-code ${serviceCode}`,
    `--quota-code ${quotaCode} --desired-value 1000), or lower what parameters of stages/${stage}.json say.`,
  ].join(" ");
}

export interface Subnet {
  id: string;
  vpcId: string;
  availabilityZone: string;
}

/** Checks the subnets of a given network. */
export function wrongSubnets(
  { network, hubs }: Parameters,
  subnets: readonly Subnet[],
): string | undefined {
  if (network.vpc !== "given") return undefined;
  const foreign = subnets.find(({ vpcId }) => vpcId !== network.id);
  if (foreign) return `network.subnets: ${foreign.id} is of ${foreign.vpcId}, not of ${network.id}`;
  const hasEndpoints =
    network.endpoints === "own" || hubs.some(({ reach }) => reach.by !== "routes");
  if (!hasEndpoints) return undefined;
  const zones = new Map<string, string>();
  for (const { id, availabilityZone: zone } of subnets) {
    const other = zones.get(zone);
    if (other !== undefined)
      return `network.subnets: ${other} and ${id} are both of ${zone}, and an endpoint takes one subnet of a zone: name one of them`;
    zones.set(zone, id);
  }
  return undefined;
}
