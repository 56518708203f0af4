import { ownerOf } from "../../../core/at-site/owner.ts";
import { seconds } from "../../../core/clock.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { defaultGroupOf } from "../../../core/ports/network/network.ts";
import {
  memberLabel,
  networkNamespaceNamed,
} from "../../../core/ports/network/ovn-kubernetes/objects.ts";
import { networkOfPod } from "../../../sim/operators/user-defined-networks.ts";
import { hubOfNetworks } from "../networks.ts";
import type { Site, Wire } from "../site.ts";
import { judge, type Receiver, type Sender } from "./judge.ts";
import type { Member, Orders, Rule } from "./model.ts";
import { readyIn, type Tenant } from "./tenant.ts";
import type { Ground, Turn, Workloads } from "./walk.ts";

/**
 * What tenants have on a hub, as the API tells of it, and everybody's packets there. Pods stand in for what will be
 * ordered into its networks.
 */

interface Pod {
  namespace: string;
  name: string;
  /** The ids of its network and of its groups. */
  network: string;
  groups: readonly string[];
}

class Pods implements Workloads {
  readonly collection = "pods";
  readonly #pods = new Map<string, Pod>();

  all(): Pod[] {
    return [...this.#pods.values()];
  }

  /** A pod that is there gets other groups. */
  async take(site: Site, tenant: Tenant, turn: Turn): Promise<boolean> {
    const { does, name, spec } = turn;
    const key = `${tenant.name}-${name}`;
    const known = this.#pods.get(key);
    if (does === "delete") {
      if (known) this.#end(site, key, known);
      return known !== undefined;
    }
    const wanted = await podOf(site, tenant, key, spec);
    if (!wanted || (known && known.network !== wanted.pod.network)) return false;
    const { cluster } = hubOfNetworks(site);
    const { pod, labels } = wanted;
    const { namespace } = pod;
    if (known)
      cluster.mutate("Pod", namespace, key, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels },
      }));
    else
      cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: key, namespace, labels },
        spec: { containers: [{ name: "machine" }] },
      });
    this.#pods.set(key, pod);
    // Until it has an address.
    await site.laptop.pass(seconds(1));
    return true;
  }

  async leave(site: Site, { ask }: Tenant, path: string): Promise<void> {
    const [collection, id = ""] = path.split("/");
    const { status, body } = await ask("GET", path);
    if (status === 404) return;
    const network = collection === "subnets" ? body.spec.virtual_network.id : id;
    for (const [key, pod] of this.#pods)
      if (pod.network === network || pod.groups.includes(id)) this.#end(site, key, pod);
  }

  #end(site: Site, key: string, { namespace, name }: Pod): void {
    hubOfNetworks(site).cluster.delete("Pod", namespace, name);
    this.#pods.delete(key);
  }
}

/** A pod in a network by its name, with groups by theirs; undefined where one of them is not READY. */
async function podOf(
  site: Site,
  tenant: Tenant,
  name: string,
  { network, groups }: { network: string; groups: readonly string[] },
): Promise<{ pod: Pod; labels: Record<string, string> } | undefined> {
  const [at] = (await readyIn(tenant, "virtual_networks")).filter(isNamed(network));
  const known: Wire[] = (await readyIn(tenant, "security_groups")).filter(
    ({ spec }) => spec.virtual_network.id === at?.id,
  );
  const ids = groups.flatMap((group) => known.find(isNamed(group))?.id ?? []);
  if (!at || ids.length < groups.length) return undefined;
  const { deps } = site.laptop;
  const owner = ownerOf(await mustLoad(deps, "virtual_network", at.id));
  const { name: namespace } = networkNamespaceNamed(owner).metadata;
  const members = await Promise.all(
    ids.map(async (id) => ({ name: (await mustLoad(deps, "security_group", id)).infra_id })),
  );
  if (members.length === 0) members.push(defaultGroupOf(owner));
  const labels = Object.fromEntries(members.map((each) => [memberLabel(each), ""]));
  return { pod: { namespace, name, network: at.id, groups: ids }, labels };
}

const isNamed = (name: string) => (object: Wire) => object.metadata.name === name;

const world = "198.51.100.7";

/** Pods in networks on a hub. */
export function hubGround(): Ground {
  const pods = new Pods();
  return {
    workloads: pods,
    async look(site, tenants) {
      const rules = new Map<string, Record<"ingress" | "egress", readonly Rule[]>>();
      const subnets = new Map<string, Wire>();
      for (const tenant of tenants) {
        for (const { id, spec } of await readyIn(tenant, "security_groups"))
          rules.set(id, { ingress: spec.ingress ?? [], egress: spec.egress ?? [] });
        for (const { spec } of await readyIn(tenant, "subnets"))
          subnets.set(spec.virtual_network.id, spec);
      }
      const ends = pods.all().map((pod) => ({ pod, member: memberOf(site, pod, subnets) }));
      const orders: Orders = {
        members: ends.flatMap(({ member }) => member ?? []),
        rules,
        // Nothing leads into a network on a hub, and nothing out of it.
        waysIn: new Map(),
        waysOut: new Map(),
      };
      const senders: Sender[] = ends.map(({ pod, member }) => ({ ...nicOf(pod), from: member }));
      const addresses = new Set(ends.flatMap(({ member }) => member?.addresses ?? []));
      const receivers: Receiver[] = [
        ...ends.map(({ pod, member }) => ({
          ...nicOf(pod),
          destination: member?.addresses[0],
          ...(member && { to: member }),
        })),
        ...[...addresses, world].map((address) => ({
          name: address,
          place: { address },
          destination: address,
        })),
      ];
      return judge(hubOfNetworks(site).packets, orders, { senders, receivers });
    },
  };
}

const nicOf = ({ namespace, name }: Pod) => ({ name, place: { nic: `${namespace}/${name}` } });

/** A pod with its addresses; undefined where its network has no subnet. */
function memberOf(
  site: Site,
  { namespace, name, network, groups }: Pod,
  subnets: ReadonlyMap<string, Wire>,
): Member | undefined {
  const pod = hubOfNetworks(site).cluster.get("Pod", namespace, name);
  const addresses = (pod && networkOfPod(pod)?.addresses) ?? [];
  const subnet = subnets.get(network);
  const wanted = [subnet?.ipv4_cidr, subnet?.ipv6_cidr].filter(Boolean).length;
  if (addresses.length !== wanted)
    throw new Error(`pod ${name} has ${addresses.length} addresses instead of ${wanted}`);
  return wanted > 0 ? { name, network, addresses, groups } : undefined;
}
