import type { Violation } from "../../error.ts";
import { load } from "../../kernel/object/records.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { defaultPrefixes, templateNetworkOf } from "../cluster-template/prefixes.ts";
import { pullSecretFault, pullSecretIn } from "../secret/pull-secret.ts";
import type { Cluster } from "./model.ts";
import { faultsAt } from "./prefixes-at-sites.ts";

/** Why an order like this stored cluster would be refused today. */
export async function clusterFaults(
  deps: SecretDeps,
  { spec, site: at, stands_in }: Cluster,
): Promise<Violation[]> {
  const nodes = Object.values(spec.node_sets).reduce((sum, { size }) => sum + size, 0);
  const { faults } = templateNetworkOf(spec.network, { nodes, others: defaultPrefixes });
  const site = at && (await load(deps, "site", at.id));
  return [
    ...(site ? await faultsAt(deps, site, { network: spec.network, isInSubnet: !!stands_in }) : []),
    ...faults.map(({ member, message }) => ({ field: `spec.network.${member}`, message })),
    ...(await pullSecretFaults(deps, spec)),
  ];
}

async function pullSecretFaults(
  deps: SecretDeps,
  { pull_secret: own, pull_secret_secret: named }: Cluster["spec"],
): Promise<Violation[]> {
  const secret = named && (await load(deps, "secret", named.id));
  const [text, object] = await Promise.all([
    own === undefined ? undefined : deps.secrets.get(own),
    secret && pullSecretIn(deps.secrets, secret),
  ]);
  return [
    { field: "spec.pull_secret", text },
    { field: "spec.pull_secret_secret", text: object },
  ].flatMap((each) => {
    const message = each.text === undefined ? undefined : pullSecretFault(each.text);
    return message === undefined ? [] : [{ field: each.field, message }];
  });
}
