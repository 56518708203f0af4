import { timestamp } from "../../clock.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../error.ts";
import {
  auditHeadKey,
  auditKey,
  auditObjectPartition,
  auditPartition,
  auditTenantPartition,
} from "../object/keys.ts";
import {
  absent,
  eq,
  type Item,
  type Page,
  type Query,
  type Store,
  TransactionRefused,
  type Write,
} from "../store/store.ts";
import { type AuditAct, type AuditEntry, type AuditHead, hashOfEntry } from "./entry.ts";
import { fitting } from "./size.ts";

/**
 * Chains of a tenant. An append moves the head of one, on the condition that nobody else did; with
 * a single chain the writers of a busy tenant would all meet there: of 200 at once a third gave up
 * after 64 tries. With 32 each needs 3.5 (`test/core/kernel/audit/contention.test.ts`). Which chain an
 * entry is in means nothing.
 */
export const auditChains = 32;

/** Any of a tenant's. */
export const anyChain = (random: () => number, chains = auditChains): number =>
  Math.floor(random() * chains);

/** Tries of an append before it is given up; each takes another chain. */
const tries = 64;

export type AuditDeps = Pick<Deps, "store" | "clock" | "random" | "newId">;

export interface Chains {
  chains?: number;
  /** The chain to try first, whose head may have been read ahead; any when absent. */
  first?: number | undefined;
}

/**
 * Appends an entry in one transaction with `writes`. Throws TransactionRefused, with a reason for each of
 * `writes`, when one of their conditions does not hold; Unavailable when too many write at once.
 */
export async function appendAudit(
  deps: AuditDeps,
  act: Omit<AuditAct, "id" | "time">,
  writes: Write[] = [],
  { chains, first }: Chains = {},
): Promise<void> {
  for (let n = 0; n < tries; n++) {
    const chain = (n === 0 ? first : undefined) ?? anyChain(deps.random, chains);
    const head = await headOf(deps.store, act.tenant, chain);
    const { previous, position } = { previous: head.hash, position: head.position + 1 };
    const said = { ...fitting(act), id: deps.newId(), time: timestamp(deps.clock.now()) };
    const unsealed = { ...said, chain, position, previous };
    const entry: AuditEntry = { ...unsealed, hash: hashOfEntry(unsealed) };
    const moved = { ...auditHeadKey(act.tenant, chain), position, hash: entry.hash };
    try {
      await deps.store.transact([
        ...writes,
        { put: moved, if: head.position === 0 ? absent : eq("position", head.position) },
        { put: itemOf(entry), if: absent },
      ]);
      return;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const own = error.reasons.slice(0, writes.length);
      if (own.some((reason) => reason !== undefined)) throw new TransactionRefused(own);
    }
  }
  throw new AppError("Unavailable", "the audit is busy; try again");
}

/** As text, so that what was hashed comes back as it was. */
function itemOf(entry: AuditEntry): Item {
  const at = `${entry.time}#${entry.id}`;
  return {
    ...auditKey(entry.tenant, entry.chain, entry.position),
    g1pk: auditTenantPartition(entry.tenant),
    g1sk: at,
    ...(isKey(entry.object_id) && { g3pk: auditObjectPartition(entry.object_id), g3sk: at }),
    entry: JSON.stringify(entry),
  };
}

/** What is in a path may be no id, and more than a key may hold. */
const isKey = (id: string): boolean => id !== "" && id.length <= 253;

async function headOf(store: Store, tenant: string, chain: number): Promise<AuditHead> {
  return headIn(await store.get(auditHeadKey(tenant, chain)), chain);
}

const headIn = (item: Item | undefined, chain: number): AuditHead => ({
  chain,
  position: Number(item?.position ?? 0),
  hash: String(item?.hash ?? ""),
});

/** The ends of all chains of a tenant. */
export async function auditHeads(store: Store, tenant: string): Promise<AuditHead[]> {
  const chains = Array.from({ length: auditChains }, (_, chain) => chain);
  const items = await store.getMany(chains.map((chain) => auditHeadKey(tenant, chain)));
  return items.map((item, chain) => headIn(item, chain));
}

/** Which entries: a tenant's or those about an object in order of time, or one chain's in its order. */
export type AuditScope = { tenant: string; chain?: number | undefined } | { object: string };

/** Where the entries of a scope lie. */
export function auditPlace(scope: AuditScope): Pick<Query, "pk" | "index"> {
  if ("object" in scope) return { pk: auditObjectPartition(scope.object), index: "g3" };
  const { tenant, chain } = scope;
  return chain === undefined
    ? { pk: auditTenantPartition(tenant), index: "g1" }
    : { pk: auditPartition(tenant, chain) };
}

export async function readAudit(
  store: Store,
  scope: AuditScope,
  page: Pick<Query, "limit" | "cursor" | "reverse">,
): Promise<{ page: Page; entries: AuditEntry[] }> {
  const found = await store.query({ ...auditPlace(scope), ...page });
  return { page: found, entries: found.items.map(entryIn) };
}

/** Whatever it has become: what is wrong with it is for the verifier to say. */
function entryIn({ entry, pk, sk }: Item): AuditEntry {
  try {
    return JSON.parse(String(entry));
  } catch {
    const place = { chain: Number(pk.split("#").at(-1)), position: Number(sk) };
    return { ...place, hash: "", damaged: String(entry) } as unknown as AuditEntry;
  }
}
