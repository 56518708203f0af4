import { lifecycleOf } from "../../kernel/object/lifecycle.ts";
import { messageOf } from "../site/parts.ts";
import type { VirtualNetwork, VirtualNetworkStatus } from "./model.ts";

/** The status follows from the record. Pure; every write of a network computes it again. */
export function virtualNetworkStatus(network: VirtualNetwork): VirtualNetworkStatus {
  const message = messageOf(network);
  return {
    state: `VIRTUAL_NETWORK_STATE_${lifecycleOf(network)}`,
    ...(message !== undefined && { message }),
  };
}
