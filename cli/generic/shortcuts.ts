import { wrongCall } from "../exit.ts";

/** Short options for long `--set` settings. */

interface Shortcuts {
  /** The option as commander expects it. */
  options: [flags: string, description: string][];
  settings(given: Record<string, unknown>): string[];
}

const ofNetworks: Shortcuts["options"] = [
  ["--subnet <name>", "where it stands, with all its network ports"],
  ["--security-group <name...>", "what may reach it there"],
];

/** One attachment for all NICs of a server. */
function networks({ subnet, securityGroup: groups }: Record<string, unknown>): string[] {
  if (subnet === undefined) {
    if (groups !== undefined) throw wrongCall("--security-group goes with --subnet");
    return [];
  }
  const attachment = { subnet, ...(groups !== undefined && { security_groups: groups }) };
  return [`spec.network_attachments=${JSON.stringify([attachment])}`];
}

const shortcuts: Record<string, Shortcuts> = {
  "cluster create": {
    options: [["--nodes <set=size...>", "how many nodes it has, such as workers=3"]],
    settings: ({ nodes }) => (isTexts(nodes) ? nodeSizes(nodes) : []),
  },
  "baremetal-instance create": {
    options: [
      ...ofNetworks,
      ["--ssh-key <file>", "the public key that may log in"],
      ["--user-data-file <file>", "what cloud-init reads at the first start"],
    ],
    settings({ sshKey, userDataFile, ...given }) {
      return [
        ...networks(given),
        ...(sshKey === undefined ? [] : [`spec.ssh_public_key=@${sshKey}`]),
        ...(userDataFile === undefined ? [] : [`spec.user_data=@${userDataFile}`]),
      ];
    },
  },
  "baremetal-instance update": { options: ofNetworks, settings: networks },
};

const noShortcuts: Shortcuts = { options: [], settings: () => [] };

/** The shortcuts of the command with these words. */
export const shortcutsOf = (words: readonly string[]): Shortcuts =>
  shortcuts[words.join(" ")] ?? noShortcuts;

/** The settings for sizes of node sets, such as `workers=3`. Throws for an invalid one. */
export function nodeSizes(sizes: readonly string[]): string[] {
  return sizes.map((each) => {
    const [, nodeSet, size] = /^([a-z0-9-]+)=(\d+)$/.exec(each) ?? [];
    if (nodeSet === undefined)
      throw wrongCall(`expected NAME=SIZE, such as workers=3; got '${each}'`);
    return `spec.node_sets.${nodeSet}.size=${size}`;
  });
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value);
