import { AppError, type QuotaRefusal } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { type Amounts, hostTypeOf } from "../object/charge.ts";
import { accountKey } from "../object/keys.ts";
import { lineage } from "../object/project.ts";
import type { Charged } from "../object/traits.ts";
import { all, any, compare, eq, type Item, type Key, lacks, type Write } from "../store/store.ts";

/**
 * The usage of quotas: one account for each tenant and each project, with a counter and a limit for each dimension, so
 * that an order reads and writes one item for each account. Usage changes only in the write that changes an object's
 * `charge`, so it always is the sum of the charges of the existing objects.
 */

/** The limit of a dimension for which a tenant has no quota. */
export const defaultQuotas = ["unlimited", "zero"] as const;
export type DefaultQuota = (typeof defaultQuotas)[number];

interface Account {
  tenant: string;
  /** Absent for the tenant's own account. */
  project?: string;
}

type Place = Charged["metadata"];

/** The keys of the accounts for an object of this place; an empty project means no project. */
export const accountKeys = (place: Place): Key[] =>
  accountsAt(place).map(({ tenant, project }) => accountKey(tenant, project));

/** The accounts of a place: an object counts in its tenant, its project, and the projects above that. */
const accountsAt = ({ tenant, project }: Place): Account[] => [
  { tenant },
  ...(project ? lineage(project) : []).map((path) => ({ tenant, project: path })),
];

function difference(before: Charged | undefined, after: Charged | undefined): Amounts {
  const [had, has] = [before?.charge ?? {}, after?.charge ?? {}];
  const names = [...new Set([...Object.keys(had), ...Object.keys(has)])];
  const moved = names.map((name) => [name, (has[name] ?? 0) - (had[name] ?? 0)] as const);
  return Object.fromEntries(moved.filter(([, n]) => n !== 0));
}

/**
 * The writes that release quota, for a transaction after which an object uses less than before, or the same.
 * `undefined`: it was deleted.
 */
export function releaseQuota(before: Charged, after: Charged | undefined): Write[] {
  const add = difference(before, after);
  if (Object.keys(add).length === 0) return [];
  return accountsAt(before.metadata).map(({ tenant, project }) => ({
    update: accountKey(tenant, project),
    add,
  }));
}

/**
 * The writes that claim quota, for the transaction that accepts an order or a change that needs more. Throws
 * QuotaExceeded with every limit that is exceeded; the transaction's conditions enforce the limits against concurrent
 * writes. `fieldOf`: the field of the order that determines a dimension.
 */
export async function claimQuota(
  { store, defaultQuota = "unlimited" }: Pick<Deps, "store" | "defaultQuota">,
  before: Charged | undefined,
  after: Charged,
  fieldOf: (dimension: string) => string,
): Promise<Write[]> {
  const add = difference(before, after);
  if (Object.keys(add).length === 0) return [];
  const accounts = accountsAt(after.metadata);
  const items = await store.getMany(accountKeys(after.metadata));
  const refused: QuotaRefusal[] = [];
  const writes = accounts.map((account, n): Write => {
    const item = items[n];
    const otherwise = defaultQuota === "zero" && account.project === undefined ? 0 : undefined;
    const room = Object.entries(add).flatMap(([dimension, asked]) => {
      const limit = limitIn(item, dimension) ?? otherwise;
      if (limit === undefined || asked <= 0) return [];
      const used = usedIn(item)[dimension] ?? 0;
      if (used + asked > limit)
        refused.push({ ...account, ...wordsOf(dimension), limit, used, asked });
      return [any(lacks(dimension), compare(dimension, "le", limit - asked))];
    });
    const version = item?.version;
    const same = typeof version === "number" ? eq("version", version) : lacks("version");
    return { update: accountKey(account.tenant, account.project), add, if: all(same, ...room) };
  });
  if (refused.length > 0) throw exceeded(refused, fieldOf);
  return writes;
}

const wordsOf = (dimension: string) => {
  const host_type = hostTypeOf(dimension);
  return host_type === undefined ? { dimension } : { dimension: "hosts", host_type };
};

/** The usage of each dimension. */
export function usedIn(item: Item = { pk: "", sk: "" }): Amounts {
  const counters = Object.entries(item).filter(([name]) => name !== "version");
  return Object.fromEntries(
    counters.flatMap(([name, used]) => (typeof used === "number" ? [[name, used]] : [])),
  );
}

function limitIn(item: Item | undefined, dimension: string): number | undefined {
  const limits = item?.limits;
  if (typeof limits !== "object" || limits === null || Array.isArray(limits)) return undefined;
  const limit = Object.hasOwn(limits, dimension) ? limits[dimension] : undefined;
  return typeof limit === "number" ? limit : undefined;
}

function exceeded(refused: QuotaRefusal[], fieldOf: (dimension: string) => string): AppError {
  const violations = refused.map((refusal) => ({
    field: fieldOf(refusal.dimension),
    message: inWords(refusal),
  }));
  const message = `quota exceeded: ${violations.map((each) => each.message).join("; ")}`;
  return new AppError("QuotaExceeded", message, { violations, quota: refused });
}

function inWords({ tenant, project, dimension, host_type, limit, used, asked }: QuotaRefusal) {
  const whose = project === undefined ? `tenant '${tenant}'` : `project '${project}'`;
  const what = dimension.replaceAll("_", " ") + (host_type ? ` of type ${host_type}` : "");
  return `${whose} has ${used} of at most ${limit} ${what}, and this asks for ${asked} more`;
}

declare module "../deps.ts" {
  interface Deps {
    /** The limit for a tenant without a quota; `unlimited` by default. */
    defaultQuota?: DefaultQuota;
  }
}
