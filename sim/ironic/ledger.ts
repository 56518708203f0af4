import { claimItem, type LedgerItem } from "../ledger.ts";
import type { Worked } from "./node.ts";

/** The nodes of Ironic that name a host of Slipway. */
export const nodeClaims = (nodes: readonly Worked[]): LedgerItem[] =>
  nodes.flatMap(({ node: { name, extra } }) =>
    typeof extra.slipway_host === "string"
      ? [claimItem(`ironic:${name}`, "ironic", extra.slipway_host)]
      : [],
  );
