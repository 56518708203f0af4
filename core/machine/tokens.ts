import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { machineTokenKey, machineTokenOfKey } from "../kernel/object/keys.ts";
import type { Kind } from "../kernel/object/object.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { absent, type Check, eq, type Item } from "../kernel/store/store.ts";
import { secretReference } from "../ports/secrets/secrets.ts";
import type { Machine, TokenUse } from "./machine.ts";

/**
 * Tokens of machines: what runs on a host or a DPU asks and reports by one, and gets its own things alone. A
 * machine has at most one. The store keeps its hash; the value is in the secret store, for the steps that boot
 * the machine.
 *
 * Two items belong to a token: one by its hash, which a request finds, and one by its machine, which names the
 * hash and the secret. The secret's name is new with each token: readers may remember an old one for a while.
 */

type TokenDeps = Pick<Deps, "store" | "secrets" | "newId" | "clock">;

/** What an attempt of a step has: it stops an attempt that outlives its step or its saga. */
interface Fenced {
  guard(): Promise<void>;
  fence(): Check[];
}

/** SHA-256 of a token, by which the store knows it. */
export const tokenHash = (token: string): string =>
  createHash("sha256").update(token).digest("base64url");

/**
 * The machine's token for this use. Minted when the use has none yet; the token of an earlier use ends with
 * that. Throws Conflict when another attempt mints at the same time, and Cancelled when the step has ended.
 */
export async function mintToken(
  deps: TokenDeps,
  use: TokenUse,
  { guard, fence }: Fenced,
): Promise<string> {
  const { store, secrets, newId } = deps;
  const key = machineTokenOfKey(use.machine.kind, use.machine.id);
  const known = await store.get(key);
  if (known && isFor(known, use)) {
    const value = await secrets.get(String(known.secret));
    if (value !== undefined) return value;
  }
  await guard();
  // The order leaves nothing behind, wherever it is cut off: no secret is ever there that no item names.
  if (known) await secrets.remove(String(known.secret));
  const value = randomBytes(32).toString("base64url");
  const secret = secretReference.machineToken(use.machine.kind, use.machine.id, newId());
  const hash = tokenHash(value);
  const { machine, serves, operation, site } = use;
  const minted = {
    ...{ operation, site },
    ...{ serves_kind: serves.kind, serves: serves.id },
  };
  const isMinted = await isWritten(store, [
    ...fence(),
    {
      put: { ...key, ...minted, hash, secret },
      if: known ? eq("hash", String(known.hash)) : absent,
    },
    {
      put: {
        ...machineTokenKey(hash),
        ...{ ...minted, machine_kind: machine.kind, machine: machine.id },
      },
    },
    ...(known ? [{ delete: machineTokenKey(String(known.hash)) }] : []),
  ]);
  if (!isMinted) throw new AppError("Unavailable", "another attempt mints the machine's token");
  await secrets.put(secret, value);
  const now = await store.get(key);
  if (now?.hash === hash) return value;
  await secrets.remove(secret);
  throw new AppError("Unavailable", "another attempt has minted the machine's token");
}

const isFor = (item: Item, { serves, operation }: TokenUse): boolean =>
  item.serves_kind === serves.kind && item.serves === serves.id && item.operation === operation;

/** The machine's token, if it has one for this object. */
export async function tokenFor(
  { store, secrets }: Pick<TokenDeps, "store" | "secrets">,
  machine: Machine,
  serves: Machine,
): Promise<string | undefined> {
  const known = await store.get(machineTokenOfKey(machine.kind, machine.id));
  if (known?.serves_kind !== serves.kind || known.serves !== serves.id) return undefined;
  return secrets.get(String(known.secret));
}

/**
 * Ends the machine's token for this object, if it has one. The machine gets nothing by it from then on. `fence`: of the
 * attempt of a step that does so. Throws Conflict when that has ended.
 */
export async function revokeToken(
  { store, secrets }: Pick<TokenDeps, "store" | "secrets">,
  machine: Machine,
  serves: Machine,
  fence: Fenced["fence"] = () => [],
): Promise<void> {
  const key = machineTokenOfKey(machine.kind, machine.id);
  const known = await store.get(key);
  if (known?.serves_kind !== serves.kind || known.serves !== serves.id) return;
  const hash = String(known.hash);
  await store.transact([...fence(), { delete: machineTokenKey(hash) }]);
  await secrets.remove(String(known.secret));
  // Another use may have its token by now.
  await isWritten(store, [...fence(), { delete: key, if: eq("hash", hash) }]);
}

/** What a token is for; undefined for one that nobody has minted, or that was revoked. */
export async function useOf(
  { store }: Pick<TokenDeps, "store">,
  token: string,
): Promise<TokenUse | undefined> {
  const item = await store.get(machineTokenKey(tokenHash(token)));
  if (!item) return undefined;
  return {
    machine: { kind: kindIn(item.machine_kind), id: String(item.machine) },
    serves: { kind: kindIn(item.serves_kind), id: String(item.serves) },
    operation: String(item.operation),
    site: String(item.site),
  };
}

/** Only kinds are ever written there. */
const kindIn = (value: Item[string] | undefined): Kind => String(value) as Kind;
