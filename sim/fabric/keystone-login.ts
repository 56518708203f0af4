import * as z from "zod";
import type { ApplicationCredential, SimulatedKeystone } from "./keystone.ts";
import { expecting, KeystoneFault, unauthorized } from "./keystone-error.ts";

/** The authentication methods of Keystone. */
const supported = [
  ...["external", "password", "token", "oauth1", "mapped"],
  ...["application_credential", "ec2credential"],
];

const loginSchema = z.looseObject({ auth: z.unknown().optional() });
const authSchema = z.object({
  identity: z.looseObject({ methods: z.array(z.string()) }),
  scope: z.unknown().optional(),
});
const tokenSchema = z.object({ id: z.string() });
const credentialSchema = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  secret: z.unknown().optional(),
  user: z
    .object({
      id: z.string().optional(),
      name: z.string().optional(),
      domain: z.unknown().optional(),
    })
    .optional(),
});

/** The application credential in a login request. Throws Keystone's refusal. */
export function loggedIn(keystone: SimulatedKeystone, body: unknown): ApplicationCredential {
  const login = body === undefined ? { auth: undefined } : loginSchema.safeParse(body).data;
  if (!login) throw expecting("valid JSON", "request body");
  if (login.auth === undefined) throw expecting("auth", "request body");
  const auth = authSchema.safeParse(login.auth);
  if (!auth.success) throw new KeystoneFault(400, inWordsOfKeystone(auth.error, login.auth));
  const { identity, scope } = auth.data;
  const { methods } = identity;
  if (methods.includes("application_credential") && scope !== undefined) {
    const why = "Application credentials cannot request a scope.";
    const message = `Error authenticating with application credential: ${why}`;
    throw new KeystoneFault(401, message, { identity: {} });
  }
  const missing = methods.find((method) => identity[method] === undefined);
  if (missing !== undefined) throw expecting(missing, "identity");
  if (!methods.every((method) => supported.includes(method))) {
    const message = "Attempted to authenticate with an unsupported method.";
    throw new KeystoneFault(401, message, { identity: { methods: supported } });
  }
  if (methods.includes("token")) throw refusedToken(keystone, identity.token);
  // Refused, because no user of this cloud has a password.
  if (methods.length !== 1 || methods[0] !== "application_credential") throw unauthorized();
  return credentialIn(keystone, identity.application_credential);
}

function credentialIn(keystone: SimulatedKeystone, input: unknown): ApplicationCredential {
  const { secret, ...given } = credentialSchema.safeParse(input).data ?? {};
  const found = meant(keystone, given);
  if (secret !== undefined && typeof secret !== "string") throw expecting("string", "password");
  if (!found || found.secret !== secret || !keystone.isUsable(found)) throw unauthorized();
  return found;
}

/** The credential with this id, or with this name and user. */
function meant(
  keystone: SimulatedKeystone,
  { id, name, user }: Omit<z.infer<typeof credentialSchema>, "secret">,
): ApplicationCredential | undefined {
  if (id) {
    const found = keystone.find(id);
    if (found) return found;
    throw new KeystoneFault(404, `Could not find Application Credential: ${id}.`);
  }
  if (!name) throw expecting("name or ID", "application credential");
  if (!user) throw expecting("user", "application credential");
  if (user.id === undefined && user.domain === undefined) throw expecting("domain", "user");
  return keystone.findNamed(user.id ?? user.name ?? "", name);
}

/** The refusal of a login by token: a token of an application credential cannot create another. */
function refusedToken(keystone: SimulatedKeystone, input: unknown): KeystoneFault {
  const { id } = tokenSchema.safeParse(input).data ?? {};
  if (!keystone.valid(id)) return new KeystoneFault(404, "Could not recognize Fernet token");
  const why = "Using a delegated token to create another token is not allowed.";
  return new KeystoneFault(403, `You are not authorized to perform the requested action: ${why}.`);
}

/** The first line of Keystone's message for a body that violates its schema. */
function inWordsOfKeystone(error: z.ZodError, input: unknown): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String) ?? [];
  const value = path.reduce<unknown>(
    (inner, name) => (inner && typeof inner === "object" ? Reflect.get(inner, name) : undefined),
    input,
  );
  const within = (names: string[]) =>
    names.length > 0 ? `Invalid input for field '${names.join("/")}': ` : "";
  if (value === undefined)
    return `${within(path.slice(0, -1))}'${path.at(-1)}' is a required property`;
  const type = issue?.code === "invalid_type" ? issue.expected : "object";
  const shown = typeof value === "string" ? `'${value}'` : JSON.stringify(value);
  return `${within(path)}${shown} is not of type '${type}'`;
}
