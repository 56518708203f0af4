import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Built } from "../../kernel/request/definition.ts";
import { type Fleet, shortageOf } from "../../placement/capacity/fleet.ts";
import { apartText, shortageText } from "../../placement/capacity/shortage-text.ts";
import type { Constraints } from "../../placement/hubs/candidate.ts";
import type { InstanceSpec } from "./model.ts";

/** Refuses orders for more servers than there are registered hosts. */

type BuiltServer = Built<"baremetal_instance">;

/** The constraints on the place of a server's host. */
export const whereOf = (
  tenant: string,
  { placement }: Pick<InstanceSpec, "placement">,
  site: string | undefined,
): Constraints => ({ tenant, ...placement, ...(site !== undefined && { site }) });

/** The violation if no hub is large enough for all servers of an order. */
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
    // The message names the instance types that the tenant ordered, not the host types behind them.
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
