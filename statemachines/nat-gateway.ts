import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { natGatewayClaims } from "../core/resources/nat-gateway/claim.ts";
import { atEnds } from "./steps/network/at-ends.ts";
import { claimStep } from "./steps/network/claim.ts";
import {
  closeAtEnds,
  closeWayOut,
  lateToClose,
  lateToOpen,
  openAtEnds,
  openWayOut,
} from "./steps/network/way-out.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Gives a network outbound access through an external IP. */
export const natGatewayCreate = saga<"nat_gateway">("nat-gateway-create", {
  comment: "An ordered NAT gateway becomes READY, or its external IP is free again",
  nodes: [
    claimStep("ClaimWayOut", natGatewayClaims),
    step(
      "OpenWayOut",
      atEnds(
        ensurePart("way_out", systems.fabric, openWayOut, {
          deadline: hours(2),
          usually: seconds(5),
        }),
        { act: openAtEnds, late: lateToOpen },
      ),
      atEnds(removePart("way_out", systems.fabric, closeWayOut), {
        act: closeAtEnds,
        late: lateToClose,
      }),
    ),
  ],
});

/** The undos of the create. The router drops the address before another owner can claim it. */
export const natGatewayDelete = saga<"nat_gateway">("nat-gateway-delete", {
  comment: "A NAT gateway is deleted, and its external IP is free again",
  irreversible: true,
  nodes: [phase("ClearWayOut", ...backwards(natGatewayCreate.nodes))],
});
