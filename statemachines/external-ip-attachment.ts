import { hours, minutes, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { claims } from "../core/resources/external-ip-attachment/endpoint.ts";
import { atEnds } from "./steps/network/at-ends.ts";
import { claimStep } from "./steps/network/claim.ts";
import {
  leadExternalIp,
  lookAtNames,
  moveNames,
  returnNames,
  turnBack,
} from "./steps/network/external-ip.ts";
import {
  lateToLead,
  lateToTurnBack,
  leadAtEnd,
  turnBackAtEnd,
} from "./steps/network/external-ip-at-ends.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Routes an external IP to a server, or to an endpoint of a cluster, whose DNS names follow. */
export const externalIpAttachmentCreate = saga<"external_ip_attachment">(
  "external-ip-attachment-create",
  {
    comment: "An ordered attachment becomes READY, or the endpoint has its own address again",
    nodes: [
      claimStep("ClaimEndpoint", claims),
      step(
        "LeadExternalIp",
        atEnds(
          ensurePart("external_ip", systems.fabric, leadExternalIp, {
            deadline: hours(2),
            usually: seconds(10),
          }),
          { act: leadAtEnd, late: lateToLead },
        ),
        atEnds(removePart("external_ip", systems.fabric, turnBack), {
          act: turnBackAtEnd,
          late: lateToTurnBack,
        }),
      ),
      step(
        "MoveNames",
        {
          ...ensurePart("dns_records", systems.dns, moveNames, {
            deadline: minutes(30),
            usually: seconds(30),
          }),
          look: lookAtNames(true),
        },
        {
          ...removePart("dns_records", systems.dns, returnNames),
          look: lookAtNames(false),
        },
      ),
    ],
  },
);

/** The undos of the create. DNS names are changed first, so that they lead to the address that is restored. */
export const externalIpAttachmentDelete = saga<"external_ip_attachment">(
  "external-ip-attachment-delete",
  {
    comment: "An attachment is deleted, and the endpoint has its own address again",
    irreversible: true,
    nodes: [phase("Detach", ...backwards(externalIpAttachmentCreate.nodes))],
  },
);
