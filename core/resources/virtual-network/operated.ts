import { operatedOutside } from "../../at-site/operated.ts";
import { subnetPrefixesKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { releaseOfClass } from "../network-class/claim.ts";
import type { VirtualNetwork } from "./model.ts";
import { virtualNetworkSagas } from "./sagas.ts";

/** The changes of a network at the start and the end of its operation. */
export const operated: Operating<"virtual_network"> = operatedOutside<VirtualNetwork>(
  virtualNetworkSagas,
  ({ kind, id, held }, deps) => [
    ...releaseOfClass(deps, held, { kind, id }),
    { delete: subnetPrefixesKey(id) },
  ],
);
