import { isDeepStrictEqual } from "node:util";
import { controllerAtKey } from "../../../core/kernel/object/keys.ts";
import { isManaged } from "../../../core/placement/pool/host.ts";
import { parseServerAddress } from "../../../core/ports/bare-metal/address.ts";
import type { Check } from "./check.ts";
import { placeOf, type Table } from "./table.ts";

/** Who has which system of a management controller, by where the controller is. */

type Holders = Record<string, Record<string, string>>;

function heldIn(table: Table): Map<string, Holders> {
  const held = new Map<string, Holders>();
  const hold = (address: string, holder: Record<string, string>) => {
    const server = parseServerAddress(address);
    if (server.by !== "redfish") return;
    const { host } = new URL(server.url);
    held.set(host, { ...held.get(host), [server.system ?? "*"]: holder });
  };
  for (const { id, spec } of table.objects("host"))
    if (isManaged({ spec })) hold(spec.bmc.address, { host: id });
  for (const { id, spec } of table.objects("dpu")) hold(spec.bmc.address, { dpu: id });
  return held;
}

export const controllers: Check = {
  of: ["controller-at", "controllers-claimed"],
  wrong({ table }) {
    const held = heldIn(table);
    const places = new Set([...held.keys(), ...table.items("controller-at").map(placeOf)]);
    return [...places]
      .filter(
        (at) =>
          !isDeepStrictEqual(table.item(controllerAtKey(at))?.holders ?? {}, held.get(at) ?? {}),
      )
      .map((at) => `the controller at ${at} is not held as hosts and DPUs name it`);
  },
};
