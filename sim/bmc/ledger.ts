import type { LedgerItem, Owner } from "../ledger.ts";
import type { Machine } from "./machine.ts";

/**
 * What a server holds for the owner of its host: power, mounted images, sessions at its controller. Data on a
 * disk is a mark, and has no owner. A blank server that is off holds nothing.
 */
export function serverItems(machine: Machine, sessions: number, owner: Owner | null): LedgerItem[] {
  const { id, power, images, drives } = machine;
  const item = (kind: string, what: string, of = owner): LedgerItem => {
    return { kind, id: what, system: "hardware", owner: of };
  };
  return [
    ...(power === "Off" ? [] : [item("power", id)]),
    ...Object.keys(images).map((slot) => item("virtual_media", `${id}/${slot}`)),
    ...Array.from({ length: sessions }, (_, n) => item("bmc_session", `${id}/${n + 1}`)),
    ...drives.flatMap(({ id: drive, written }) =>
      written === undefined ? [] : [item("disk_mark", `${id}/${drive}/${written}`, null)],
    ),
  ];
}
