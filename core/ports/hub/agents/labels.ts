import { type OwnershipTag, ownerLabel } from "../../owner.ts";
import { nodeSetLabel } from "../clusters/labels.ts";

/** The label with the host type of an agent whose host is known. */
export const hostTypeLabel = "slipway.dev/host-type";

/** The labels of an agent in an owner's node set. */
export const agentLabels = ({ kind, id }: OwnershipTag, set: string): Record<string, string> => ({
  [ownerLabel(kind)]: id,
  [nodeSetLabel]: set,
});
