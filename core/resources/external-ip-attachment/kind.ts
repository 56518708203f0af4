import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  madeStatusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const kind: KindDefinition<"external_ip_attachment"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  // The target is not among them: the record of the cluster or server names its attachments.
  references: ({ spec }) => [{ kind: "external_ip", id: spec.external_ip.id }],
  status: (attachment) => ({
    ...madeStatusOf("EXTERNAL_IP_ATTACHMENT", attachment),
    // An attachment from a cluster's order has no operation of its own, and so no end of one to miss.
    ...(attachment.automatic &&
      attachment.metadata.deletion_timestamp && { state: "EXTERNAL_IP_ATTACHMENT_STATE_DELETING" }),
    external_ip_address: attachment.address,
  }),
};

export const permissions = madeOutsidePermissions;

const target_endpoint = "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS";

export const documentation: Documentation = {
  meaning: "External IPs at endpoints of clusters.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "front" },
    spec: { external_ip: { name: "front" }, cluster: { name: "prod" }, target_endpoint },
  },
  belongsToTenants: true,
  answer: ofTenant("front", {
    spec: { external_ip: referred("front"), cluster: referred("prod"), target_endpoint },
    status: {
      state: "EXTERNAL_IP_ATTACHMENT_STATE_READY",
      external_ip_address: "203.0.113.80",
    },
  }),
};
