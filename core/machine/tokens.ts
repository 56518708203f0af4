import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../error.ts";
import { machineTokenKey, machineTokenOfKey } from "../kernel/object/keys.ts";
import type { Kind } from "../kernel/object/object.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { absent, type Check, eq, type Item } from "../kernel/store/store.ts";
import { type SecretDeps, secretReference } from "../ports/secrets/secrets.ts";
import type { Machine, TokenUse } from "./machine.ts";

/**
 * Machine tokens: programs on a host or a DPU authenticate with one, and get only that machine's data. A
 * machine has at most one. The store has its hash; the value is in the secret store, for the steps that boot
 * the machine.
 *
 * A token has two items: one by its hash, which requests find, and one by its machine, with the hash and the
 * secret's name. Each token has a new secret name, because readers may cache an old value for a while.
 */

type TokenDeps = Pick<SecretDeps, "store" | "secrets" | "newId" | "clock">;

/** The guard and the fence of a step's attempt: they stop an attempt that outlives its step or its saga. */
interface Fenced {
  guard(): Promise<void>;
  fence(): Check[];
}

/** The SHA-256 of a token, by which the store finds it. */
export const tokenHash = (token: string): string =>
  createHash("sha256").update(token).digest("base64url");

/**
 * The machine's token for this use. Creates one if the use has none yet, which ends the token of an earlier
 * use. Throws Conflict when another attempt does the same concurrently, and Cancelled when the step has ended.
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
  // In this order an interruption never leaves a secret without its item.
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

/** The machine's token for this object, if it has one. */
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
 * Revokes the machine's token for this object, if it has one. `fence`: of the step's attempt. Throws Conflict
 * when the attempt has ended.
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
  // The token may belong to another use by now.
  await isWritten(store, [...fence(), { delete: key, if: eq("hash", hash) }]);
}

/** The use of a token; undefined if it was never created, or was revoked. */
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

/** Safe: only kinds are stored there. */
const kindIn = (value: Item[string] | undefined): Kind => String(value) as Kind;
