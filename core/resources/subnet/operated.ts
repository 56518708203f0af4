import { operatedOutside } from "../../at-site/operated.ts";
import { poolName } from "../../at-site/site.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { numbersQueue } from "../../placement/queues/tickets.ts";
import type { Subnet } from "./model.ts";
import { subnetSagas } from "./sagas.ts";
import { releaseSubnetPrefixes } from "./siblings.ts";

/** The changes of a subnet at the start and the end of its operation. */
export const operated: Operating<"subnet"> = {
  ...operatedOutside<Subnet>(subnetSagas, ({ id, spec }) => [
    releaseSubnetPrefixes(spec.virtual_network.id, id),
  ]),
  queues: ({ site }) => (site ? [numbersQueue(poolName(site.id, "vlans"))] : []),
};
