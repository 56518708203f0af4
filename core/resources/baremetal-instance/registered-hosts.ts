import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Built } from "../../kernel/request/definition.ts";
import { type Fleet, shortageOf } from "../../placement/capacity/fleet.ts";
import { apartText, shortageText } from "../../placement/capacity/shortage-text.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import type { InstanceSpec } from "./model.ts";

/** Orders of more servers than hosts are registered. */

type BuiltServer = Built<"baremetal_instance">;

/** Where the host of a server may be. */
export const whereOf = (
  tenant: string,
  { placement }: Pick<InstanceSpec, "placement">,
  site: string | undefined,
): Constraints => ({ tenant, ...placement, ...(site !== undefined && { site }) });

/** What is wrong with an order of servers, which get their hosts on one hub, where no hub ever has so many. */
export async function beyondHosts(
  deps: Pick<Deps, "store" | "kinds">,
  tenant: string,
  servers: readonly BuiltServer[],
  fleet: Promise<Fleet>,
): Promise<Violation[]> {
  const [first] = servers;
  if (!first) return [];
  const { spec, record } = first;
  const where = whereOf(tenant, spec, record?.site?.id);
  const byType = Map.groupBy(servers, (each) => each.record?.host_type ?? "");
  const wanted = new Map([...byType].map(([type, { length }]) => [type, length]));
  const shortage = await shortageOf(deps, await fleet, where, wanted);
  if (!shortage) return [];
  if (shortage.size === 0) return [{ field: "items", message: apartText(wanted, where) }];
  return [...shortage].map(([type, lack]): Violation => {
    // The tenant knows the types that it has ordered, and not which hosts serve them.
    const names = (byType.get(type) ?? []).map((each) => each.record?.instance_type?.name ?? "");
    const kind = `for servers of type ${[...new Set(names)].sort().join(" and ")}`;
    const elsewhere = lack.elsewhere.length > 0 && spec.placement?.region !== undefined;
    const one = elsewhere ? "spec.placement.region" : "spec.catalog_item";
    return {
      field: servers.length > 1 ? "items" : one,
      message: shortageText(lack, { kind, where }),
    };
  });
}
