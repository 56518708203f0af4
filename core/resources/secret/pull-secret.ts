import * as z from "zod";
import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { type Place, referenceTo, resolveLocal } from "../../kernel/request/resolve.ts";
import type { Secrets } from "../../ports/secrets/secrets.ts";
import { valuesOf } from "./kind.ts";

/** A registry: its host, optionally with a port or a path. */
const registry = z.string().regex(/^[\x21-\x7e]+$/);
/** `user:password`. */
const auth = z.base64().refine((text) => /.:./s.test(Buffer.from(text, "base64").toString()));
const dockerConfigSchema = z.object({
  auths: z.record(registry, z.looseObject({ auth: auth.optional() })),
});

/**
 * The fault of a pull secret: it must be a docker config JSON with credentials of at least one
 * registry, else the hub would refuse it long after the hosts were claimed. The message never quotes
 * it.
 */
export function pullSecretFault(text: string): string | undefined {
  const config = dockerConfigSchema.safeParse(parsed(text)).data;
  if (config && Object.keys(config.auths).length > 0) return undefined;
  return 'must be a docker config JSON, such as {"auths": {"quay.io": {"auth": "..."}}}, each auth being user:password in base64';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The usual key of a pull secret in Kubernetes; a secret with one value may use any key. */
const usualKey = ".dockerconfigjson";

/** The pull secret in a secret; undefined when it has no value, or several under other keys. */
export async function pullSecretIn(
  secrets: Secrets,
  secret: ObjectOf["secret"],
): Promise<string | undefined> {
  const values = await valuesOf(secrets, secret);
  const value = values.get(usualKey) ?? (values.size === 1 ? [...values.values()][0] : undefined);
  return value === undefined ? undefined : Buffer.from(value, "base64").toString();
}

/** The secret object that is named for a pull secret; its faults are violations of the field. */
export async function namedPullSecret(
  { store, kinds, secrets }: Pick<Deps, "store" | "kinds" | "secrets">,
  place: Place,
  reference: ReferenceInput,
  field: string,
  violations: Violation[],
): Promise<Reference | undefined> {
  const refuse = (message: string) => violations.push({ field, message });
  const secret = await resolveLocal({ store, kinds }, "secret", place, reference);
  if (!secret) {
    const { id, name } = typeof reference === "string" ? { id: reference } : reference;
    refuse(`Secret "${name || id || ""}" not found`);
    return undefined;
  }
  const fault = pullSecretFault((await pullSecretIn(secrets, secret)) ?? "");
  if (fault) refuse(`the value '${usualKey}' of this secret ${fault}`);
  return referenceTo(secret);
}
