import type { PrivateSecurityGroup } from "../generated/answers.ts";
import { commandLine, quoted, setsOf } from "../ui/command.ts";

/** A security group that is being written. */
export interface GroupDraft {
  name: string;
  /** The id of its network. */
  network: string;
  rules: RuleDraft[];
}

export interface RuleDraft {
  /** Tells it from the other rules of the draft. */
  number: number;
  way: "ingress" | "egress";
  protocol: PrivateSecurityGroup["spec"]["ingress"][number]["protocol"];
  /** One port, or the first and the last with a dash between them; empty for all. */
  ports: string;
  /** The prefix at the other end; empty for none. */
  prefix: string;
}

/** What most begin with: the web is let in. */
export const firstRule: Omit<RuleDraft, "number"> = {
  ...{ way: "ingress", protocol: "PROTOCOL_TCP", ports: "443", prefix: "0.0.0.0/0" },
};

/** A number where it is one; else what was written, about which the API says what is wrong. */
const numberIn = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text) : text.trim();

function ruleOf({ protocol, ports, prefix }: RuleDraft) {
  // What stands behind the first dash is judged whole.
  const [from = "", to = from] = ports.split(/[-–](.*)/);
  const cidr = prefix.trim();
  return {
    protocol,
    ...(ports.trim() !== "" && { port_from: numberIn(from), port_to: numberIn(to) }),
    ...(cidr !== "" && (cidr.includes(":") ? { ipv6_cidr: cidr } : { ipv4_cidr: cidr })),
  };
}

export function groupOf({ name, network, rules }: GroupDraft) {
  const that = (way: RuleDraft["way"]) => rules.filter((rule) => rule.way === way).map(ruleOf);
  const [ingress, egress] = [that("ingress"), that("egress")];
  return {
    metadata: { name },
    spec: {
      ...(network !== "" && { virtual_network: network }),
      ...(ingress.length > 0 && { ingress }),
      ...(egress.length > 0 && { egress }),
    },
  };
}

/** The command line that orders the same. */
export function groupCommandOf(draft: GroupDraft): string {
  const { metadata, spec } = groupOf(draft);
  const { virtual_network: network, ...rules } = spec;
  return commandLine([
    `slipway security-group create ${quoted(metadata.name || "NAME")}`,
    ...(network === undefined ? [] : [`--virtual-network ${quoted(network)}`]),
    ...setsOf(Object.entries(rules).map(([way, each]) => [`spec.${way}`, each])),
    "--wait",
  ]);
}
