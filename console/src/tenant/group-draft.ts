import type { PrivateSecurityGroup } from "../generated/answers.ts";
import { commandLine, quoted, setsOf } from "../ui/command.ts";

/** A security group in the form. */
export interface GroupDraft {
  name: string;
  /** The id of its network. */
  network: string;
  rules: RuleDraft[];
}

export interface RuleDraft {
  /** Identifies the rule within the draft. */
  number: number;
  way: "ingress" | "egress";
  protocol: PrivateSecurityGroup["spec"]["ingress"][number]["protocol"];
  /** A port, or a range with a dash; empty for all ports. */
  ports: string;
  /** The prefix of the other end; empty for none. */
  prefix: string;
}

/** The first rule by default: ingress for the web. */
export const firstRule: Omit<RuleDraft, "number"> = {
  ...{ way: "ingress", protocol: "PROTOCOL_TCP", ports: "443", prefix: "0.0.0.0/0" },
};

/** A number, or the text if it is none, so that the API reports the error. */
const numberIn = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text) : text.trim();

function ruleOf({ protocol, ports, prefix }: RuleDraft) {
  // Everything after the first dash is one value, so that the API reports a second dash.
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

/** The equivalent command. */
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
