import { machineTokenKey, machineTokenOfKey } from "../../../core/kernel/object/keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Check } from "./check.ts";
import { placeOf, shown, type Table } from "./table.ts";

/**
 * The tokens of machines: each has its two items, the object that it was minted for is there, and a host that nothing
 * works on has none of its own.
 */
export const machineTokens: Check = {
  of: ["machine-token", "machine-token-of"],
  wrong({ table }) {
    const named = table.items("machine-token-of");
    const wanted = new Set(named.map(({ hash }) => shown(machineTokenKey(String(hash)))));
    const stray = table.items("machine-token").filter((item) => !wanted.has(shown(item)));
    return [
      ...stray.map((item) => `the machine's token ${shown(item)} is left, and no machine has it`),
      ...named.flatMap((item) => wrongInToken(table, item)),
    ];
  },
};

function wrongInToken(table: Table, item: Item): string[] {
  const [kind = "", id = ""] = placeOf(item).split("#");
  const found = table.item(machineTokenKey(String(item.hash)));
  const isIdle = table.objects("host").some((host) => host.id === id && !host.operation);
  const isThere = (of: unknown, id: unknown) => table.has(String(of) as Kind, String(id));
  return [
    ...(isThere(kind, id) ? [] : [`the token of ${kind} ${id}, which is gone, is left`]),
    ...(isThere(item.serves_kind, item.serves)
      ? []
      : [`${kind} ${id} has a token for ${item.serves_kind} ${item.serves}, which is gone`]),
    ...(isIdle && item.serves_kind === "host" ? [`host ${id} has a token, and boots nothing`] : []),
    ...(found &&
    shown(machineTokenOfKey(String(found.machine_kind) as Kind, String(found.machine))) ===
      shown(item)
      ? []
      : [`the token of ${kind} ${id} cannot be found by its hash`]),
  ];
}
