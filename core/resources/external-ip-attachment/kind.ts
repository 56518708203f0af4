import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  statusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"external_ip_attachment"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  // The record of a cluster, or of a server, says what is attached to it.
  references: ({ spec }) => [{ kind: "external_ip", id: spec.external_ip.id }],
  status: (attachment) => ({
    ...statusOf("EXTERNAL_IP_ATTACHMENT", attachment),
    // One that came with its cluster has no operation of its own, whose end could be missed.
    ...(attachment.automatic &&
      attachment.metadata.deletion_timestamp && { state: "EXTERNAL_IP_ATTACHMENT_STATE_DELETING" }),
    external_ip_address: attachment.address,
  }),
};

export const permissions = madeOutsidePermissions;
