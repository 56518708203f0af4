import type { Known, Row } from "../../compare.ts";
import { nobody, post, remove } from "./ask.ts";

const rule = (more: object) => (known: Known) => ({
  security_group_id: known.group,
  direction: "ingress",
  ...more,
});

/** Security groups and their rules. */
export const securityGroupRows: Row[] = [
  {
    what: "a security group",
    ask: post("security-groups", { name: "raw" }),
    keep: ["group", "security_group.id"],
  },
  {
    what: "a rule",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 443, port_range_max: 443 }),
    ),
  },
  {
    what: "it again",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 443, port_range_max: 443 }),
    ),
  },
  {
    what: "ports the wrong way round",
    ask: post(
      "security-group-rules",
      rule({ protocol: "tcp", port_range_min: 90, port_range_max: 80 }),
    ),
  },
  {
    what: "ports of no protocol",
    ask: post("security-group-rules", rule({ port_range_min: 80, port_range_max: 90 })),
  },
  {
    what: "a prefix of the other family",
    ask: post("security-group-rules", rule({ remote_ip_prefix: "fd00::/64" })),
  },
  {
    what: "a prefix and a group",
    ask: post("security-group-rules", (known) => ({
      ...rule({ remote_ip_prefix: "10.0.0.0/8" })(known),
      remote_group_id: known.group,
    })),
  },
  {
    what: "a rule of a group that there is not",
    ask: post("security-group-rules", { security_group_id: nobody, direction: "ingress" }),
  },
  {
    what: "everything",
    ask: post("security-group-rules", rule({ remote_ip_prefix: "0.0.0.0/0" })),
  },
  { what: "everything, said otherwise", ask: post("security-group-rules", rule({})) },
  { what: "a rule goes that there is not", ask: remove("security-group-rules", nobody) },
  { what: "the group goes", ask: remove("security-groups", "group") },
  { what: "it goes again", ask: remove("security-groups", "group") },
];
