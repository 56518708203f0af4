import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import {
  auditActorPartition,
  auditHeadKey,
  auditKey,
  auditObjectPartition,
  auditPartition,
  auditTenantPartition,
} from "../object/log-keys.ts";
import { optimistically, type Patience } from "../store/optimistically.ts";
import {
  absent,
  eq,
  type Item,
  type Page,
  type Query,
  type Store,
  TransactionRefused,
  type TransactOptions,
  type Write,
} from "../store/store.ts";
import { type AuditAct, type AuditEntry, type AuditHead, hashOfEntry } from "./entry.ts";
import { fitting } from "./size.ts";

/**
 * The number of chains of a tenant. Any chain can take any entry. An append moves the head of one chain, and is refused
 * if another append has moved the head. With a single chain, the writers of a busy tenant would collide: of 200
 * concurrent ones, a third gave up after 64 attempts. With 32 chains, each needs 3.5 attempts
 * (`test/core/kernel/audit/contention.test.ts`).
 */
export const auditChains = 32;

/** Picks any chain of a tenant. */
export const anyChain = (random: () => number, chains = auditChains): number =>
  Math.floor(random() * chains);

/** Each try of an append takes another chain. */
const patience: Patience = {
  retries: 63,
  exhausted: (cause) => new AppError("Unavailable", "the audit is busy; try again", { cause }),
};

export type AuditDeps = Pick<Deps, "store" | "clock" | "random" | "newId" | "log">;

export interface Chains {
  chains?: number;
  /** The chain for the first attempt, whose head may have been read early; any chain by default. */
  first?: number | undefined;
  /** Options of each attempted transaction. */
  options?: TransactOptions | undefined;
}

type Act = Omit<AuditAct, "id" | "time">;

/** Appends an entry, as `appendAudits` does. */
export const appendAudit = (
  deps: AuditDeps,
  act: Act,
  writes?: Write[],
  chains?: Chains,
): Promise<void> => appendAudits(deps, [act], writes, chains);

/**
 * Appends entries of one tenant to one chain, in one transaction with `writes`. Throws TransactionRefused, with a
 * reason for each of `writes`, when one of their conditions fails, and Unavailable when too many write at once.
 *
 * The new end of the chain also goes into the log. Writers of the table cannot change the log, so it reveals a chain
 * that was cut or removed together with its head.
 */
export async function appendAudits(
  deps: AuditDeps,
  acts: [Act, ...Act[]],
  writes: Write[] = [],
  { chains, first, options }: Chains = {},
): Promise<void> {
  let chosen = first;
  const [{ tenant }] = acts;
  const end = await optimistically<AuditHead>(
    { transact: (all) => deps.store.transact(all, options) },
    async () => {
      const chain = chosen ?? anyChain(deps.random, chains);
      chosen = undefined;
      const head = await headOf(deps.store, tenant, chain);
      let { hash, position } = head;
      const entries = acts.map((act): AuditEntry => {
        const said = { ...fitting(act), id: deps.newId(), time: timestamp(deps.clock.now()) };
        const unsealed = { ...said, chain, position: ++position, previous: hash };
        hash = hashOfEntry(unsealed);
        return { ...unsealed, hash };
      });
      const moved = { ...auditHeadKey(tenant, chain), position, hash };
      const own: Write[] = [
        { put: moved, if: head.position === 0 ? absent : eq("position", head.position) },
        ...entries.map((entry) => ({ put: itemOf(entry), if: absent })),
      ];
      return { writes: [...writes, ...own], result: { chain, position, hash } };
    },
    ({ reasons }) => {
      const theirs = reasons.slice(0, writes.length);
      if (theirs.some((reason) => reason !== undefined)) throw new TransactionRefused(theirs);
    },
    patience,
  );
  deps.log.info({ audit: { tenant, ...end } }, "audit");
}

/** The hash is computed from canonical JSON. So the entry can be stored as a map, which the table packs. */
function itemOf(entry: AuditEntry): Item {
  const at = `${entry.time}#${entry.id}`;
  return {
    ...auditKey(entry.tenant, entry.chain, entry.position),
    g1pk: auditTenantPartition(entry.tenant),
    g1sk: at,
    ...(isKey(entry.actor.user) && { g2pk: auditActorPartition(entry.actor.user), g2sk: at }),
    ...(isKey(entry.object_id) && { g3pk: auditObjectPartition(entry.object_id), g3sk: at }),
    entry,
  };
}

/** Whether a text from a path or a token can be part of a key: it may be invalid or too long. */
const isKey = (text: string): boolean => text !== "" && text.length <= 253;

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

/**
 * Selects entries in order of time (of a tenant, about an object, or of a user's requests), or the entries of one chain
 * in its order.
 */
export type AuditScope =
  | { tenant: string; chain?: number | undefined }
  | { object: string }
  | { actor: string };

/** The partition or index that holds the entries of a scope. */
export function auditPlace(scope: AuditScope): Pick<Query, "pk" | "index"> {
  if ("object" in scope) return { pk: auditObjectPartition(scope.object), index: "g3" };
  if ("actor" in scope) return { pk: auditActorPartition(scope.actor), index: "g2" };
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

/** The entry of an item, unchecked, because the verifier must also see a forged entry. */
function entryIn({ entry, pk, sk }: Item): AuditEntry {
  const isEntry = typeof entry === "object" && entry !== null;
  const place = { chain: Number(pk.split("#").at(-1)), position: Number(sk) };
  return (isEntry ? entry : { ...place, hash: "", damaged: entry }) as unknown as AuditEntry;
}
