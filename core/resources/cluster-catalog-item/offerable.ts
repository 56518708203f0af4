import { clusterInputSchema } from "../cluster-template/order-input.ts";
import { templateNetworkOf } from "../cluster-template/prefixes.ts";
import type { Offerable } from "./offer/item.ts";
import { isAtOrUnder } from "./offer/paths.ts";

const name = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const known = new RegExp(
  `^(ssh_public_key|pull_secret|pull_secret_secret|version|network(\\.(pod_cidr|service_cidr))?|network_attachment(\\.(subnet|security_groups))?|auto_external_ip_attachment|placement(\\.(region|labels))?|node_sets(\\.${name}(\\.(size|host_type))?)?|template_parameters(\\.[A-Za-z_][A-Za-z0-9_-]{0,62})?)$`,
);

/** Paths of values; higher members only contain values. */
const leaf =
  /^(ssh_public_key|pull_secret|pull_secret_secret|version|network\.[^.]+|network_attachment\.[^.]+|auto_external_ip_attachment|placement\.(region|labels)|node_sets\.[^.]+\.(size|host_type)|template_parameters\.[^.]+)$/;

/** The fields that offers can set in orders for clusters. */
export const clusterOfferable: Offerable = {
  what: "a cluster",
  isKnown: (path) => known.test(path),
  isLeaf: (path) => leaf.test(path),
  // Without these fields the cluster gets the provider's pull secret, and its own network and addresses.
  isOptional: (path) =>
    ["pull_secret", "pull_secret_secret", "auto_external_ip_attachment"].includes(path) ||
    isAtOrUnder(path, "network_attachment"),
  isSecret: (path) => path.startsWith("pull_secret"),
  schema: () => clusterInputSchema.shape.spec,
  faults: (given) => {
    const { network = {}, node_sets = {} } =
      clusterInputSchema.shape.spec.safeParse(given).data ?? {};
    const nodes = Object.values(node_sets).reduce((sum, { size = 0 }) => sum + size, 0);
    return templateNetworkOf(network, { nodes: Math.max(1, nodes) }).faults.map(
      ({ member, message }) => ({
        field: `network.${member}`,
        message,
      }),
    );
  },
};
