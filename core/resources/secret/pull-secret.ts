import * as z from "zod";
import type { Violation } from "../../error.ts";
import { hostFault } from "../../kernel/input/address.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { type Place, referenceTo, resolveLocal } from "../../kernel/request/resolve.ts";
import type { SecretDeps, Secrets } from "../../ports/secrets/secrets.ts";
import { valuesOf } from "./kind.ts";

/** A registry's name in the form that messages may quote. */
const registry = z.string().regex(/^[\x21-\x7e]+$/);
const dockerConfigSchema = z.object({ auths: z.record(registry, z.unknown()) });
const entrySchema = z.object({ auth: z.union([z.string().min(1), z.number(), z.boolean()]) });
const credentialsSchema = z.object({
  auth: z.base64(),
  /** The token that Azure's registries use instead of a password. */
  identitytoken: z.string().optional(),
});

/**
 * The fault of a pull secret: it has to be a docker config JSON with credentials for each registry in it, in the form
 * that nodes read. Otherwise pulls of images would fail long after the hosts were claimed. The message quotes only the
 * names of registries.
 */
export function pullSecretFault(text: string): string | undefined {
  const auths = Object.entries(dockerConfigSchema.safeParse(parsed(text)).data?.auths ?? {});
  if (auths.length === 0) return `must be ${example}`;
  const strange = auths.filter(([name]) => !isRegistry(name));
  if (strange.length > 0)
    return `names ${named(strange)}, which is no registry: it must be a host with an optional port and path, such as quay.io`;
  const lacking = auths.filter(([, entry]) => !entrySchema.safeParse(entry).success);
  if (lacking.length > 0)
    return `has no 'auth' for ${named(lacking)}: nodes have no other way to log in, such as a credential store; it must be ${example}`;
  const faulty = auths.filter(([, entry]) => !hasCredentials(entry));
  return faulty.length === 0
    ? undefined
    : `has an 'auth' for ${named(faulty)} that is not user:password in base64, without a line's end or another control character; it must be ${example}`;
}

const example =
  'a docker config JSON, such as {"auths": {"quay.io": {"auth": "..."}}}, each auth being user:password in base64';

/**
 * Whether nodes can find a registry by this name: a host, optionally with a port and a path, and with the scheme that
 * docker writes. `*` in a label is a pattern of Kubernetes.
 */
function isRegistry(name: string): boolean {
  const [, place, host = ""] = /^(?:https?:\/\/)?(([^/?#\\@]+)(?:\/[^?#\\]*)?)$/.exec(name) ?? [];
  if (place === undefined || /:$/.test(host)) return false;
  const url = `https://${place.replaceAll("*", "x")}`;
  return URL.parse(url)?.port !== "0" && URL.canParse(url) && hostFault(url) === undefined;
}

/** Whether an entry has `user:password`, or a user and a token in place of the password. */
function hasCredentials(entry: unknown): boolean {
  const { auth = "", identitytoken } = credentialsSchema.safeParse(entry).data ?? {};
  const login = Buffer.from(auth, "base64").toString();
  const [, password] = /^[^:\p{Cc}]+:(\P{Cc}*)$/u.exec(login) ?? [];
  return password === "" ? Boolean(identitytoken) : password !== undefined;
}

/** The limit of registries in a message. */
const inMessage = 3;
function named(entries: [string, unknown][]): string {
  const names = entries.slice(0, inMessage).map(([name]) => `'${name.slice(0, 253)}'`);
  const more = entries.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
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

/** The pull secret in a secret object; undefined if the object has no value, or several under other keys. */
export async function pullSecretIn(
  secrets: Secrets,
  secret: ObjectOf["secret"],
): Promise<string | undefined> {
  const values = await valuesOf(secrets, secret);
  const value = values.get(usualKey) ?? (values.size === 1 ? [...values.values()][0] : undefined);
  return value === undefined ? undefined : Buffer.from(value, "base64").toString();
}

/** The secret object that a request names for its pull secret; its faults are violations of the field. */
export async function namedPullSecret(
  { store, kinds, secrets }: Pick<SecretDeps, "store" | "kinds" | "secrets">,
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
