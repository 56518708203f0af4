import { lifecycleOf } from "../../kernel/object/lifecycle.ts";
import { messageOf } from "../site/parts.ts";
import type { Subnet, SubnetStatus } from "./model.ts";

/** The status follows from the record. Pure; every write of a subnet computes it again. */
export function subnetStatus(subnet: Subnet): SubnetStatus {
  const message = messageOf(subnet);
  return {
    state: `SUBNET_STATE_${lifecycleOf(subnet)}`,
    ...(message !== undefined && { message }),
  };
}
