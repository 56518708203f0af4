import { type OwnershipTag, ownerLabel } from "../../owner.ts";
import { nodeSetLabel } from "../clusters/labels.ts";

/** The label of an agent whose host is known, with the type of the host. */
export const hostTypeLabel = "slipway.dev/host-type";

/** The labels of an agent that is in one of an owner's sets of hosts. */
export const agentLabels = ({ kind, id }: OwnershipTag, set: string): Record<string, string> => ({
  [ownerLabel(kind)]: id,
  [nodeSetLabel]: set,
});
