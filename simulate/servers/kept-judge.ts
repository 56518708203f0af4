import { objectKey } from "../../core/kernel/object/keys.ts";
import { isOfObject, objectIn } from "../../core/kernel/object/records.ts";
import type { Item, Key, Write } from "../../core/kernel/store/store.ts";
import { ownerIn, reservedBy } from "../../core/placement/pool/entries.ts";
import type { ReservedFor } from "../../core/placement/pool/reserved.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";

/**
 * Checks by the written transactions that a free host reserved by an allocation goes to the
 * allocation's tenant, leaves the pool, or stays reserved. It may lose the reservation only when
 * the allocation is reduced.
 */
export class KeptJudge {
  /** The violations that it has found. */
  readonly wrong = new Set<string>();
  /** The number of reserved hosts that went to their tenants. */
  taken = 0;
  /** The reserved hosts. */
  readonly #kept = new Map<string, ReservedFor>();
  /** The number of hosts in each allocation. */
  readonly #reserved = new Map<string, number>();
  /** Allocations that were reduced or deleted, so that their hosts may leave. */
  readonly #lowered = new Set<string>();
  readonly #items: (pk: string) => Item[];

  /** `items` reads the present content of the store. */
  constructor(items: (pk: string) => Item[]) {
    this.#items = items;
  }

  /** Takes one written transaction. */
  see(writes: readonly Write[]): void {
    for (const write of writes)
      if ("put" in write) this.#changed(write.put, write.put);
      else if ("delete" in write) this.#changed(write.delete, undefined);
  }

  #changed({ pk, sk }: Key, after: Item | undefined): void {
    if (pk.startsWith("pool#")) this.#seeEntry(sk, after);
    else if (pk.startsWith("allocation#"))
      this.#seeAllocation(pk.slice("allocation#".length), after);
  }

  #seeEntry(host: string, entry: Item | undefined): void {
    const before = this.#kept.get(host);
    const now = reservedBy(entry);
    if (now) this.#kept.set(host, now);
    else this.#kept.delete(host);
    if (!before || now?.allocation === before.allocation) return;
    const owner = ownerIn(entry);
    const { allocation, tenant } = before;
    if (owner) {
      const holder = this.#tenantOf(owner);
      if (holder === tenant) this.taken += 1;
      else
        this.wrong.add(
          `host ${host} is given to ${owner.id} of ${holder}, kept by ${allocation} for ${tenant}`,
        );
    } else if (entry?.state === "free" && !this.#lowered.has(allocation))
      this.wrong.add(`host ${host} is not kept by ${allocation} any more`);
  }

  #seeAllocation(id: string, after: Item | undefined): void {
    const reserved =
      after && isOfObject(after) ? objectIn<"allocation">(kinds, after).spec.reserved : 0;
    if (reserved < (this.#reserved.get(id) ?? 0)) this.#lowered.add(id);
    this.#reserved.set(id, reserved);
  }

  #tenantOf({
    kind,
    id,
  }: {
    kind: "cluster" | "baremetal_instance";
    id: string;
  }): string | undefined {
    const { pk, sk } = objectKey(kind, id);
    const item = this.#items(pk).find((each) => each.sk === sk);
    return item && objectIn<typeof kind>(kinds, item).metadata.tenant;
  }
}
