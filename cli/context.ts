import { payloadOf } from "./api/area.ts";
import { type CliCall, connect } from "./call.ts";
import { contextsIn, storeContexts, storedContexts } from "./contexts.ts";
import { wrongCall } from "./exit.ts";
import { outputTable } from "./output/table.ts";

/** `slipway context …` and `slipway whoami`. */

export async function listContexts({ around }: CliCall): Promise<undefined> {
  const { current = "laptop", contexts } = contextsIn(around.env);
  const rows = Object.entries(contexts).map(([name, { url }]) => ({ name, url }));
  if (rows.length === 0)
    around.err.write("no contexts yet; add one: slipway context set NAME --url URL\n");
  else {
    type Row = (typeof rows)[number];
    const column = (head: string, cell: (row: Row) => string) => ({
      head,
      cell: (row: unknown) => cell(row as Row),
    });
    const columns = [
      column("NAME", ({ name }) => name),
      column("URL", ({ url }) => url),
      column("IN USE", ({ name }) => (name === current ? "yes" : "")),
    ];
    around.out.write(outputTable(rows, columns, around.out));
  }
  return undefined;
}

export async function useContext({ around, words: [name = ""] }: CliCall): Promise<undefined> {
  const names = Object.keys(contextsIn(around.env).contexts);
  if (!names.includes(name))
    throw wrongCall(`there is no context '${name}'`, `contexts are: ${names.join(", ")}`);
  storeContexts(around.env, { ...storedContexts(around.env), current: name });
  return undefined;
}

export async function setContext({
  around,
  options: { url, token },
  words: [name = ""],
}: CliCall): Promise<undefined> {
  if (url === undefined || !URL.canParse(url))
    throw wrongCall("--url must be the URL of a Slipway");
  if (token === undefined) throw wrongCall("--token-file is needed; - reads standard input");
  const stored = storedContexts(around.env);
  const contexts = { ...stored.contexts, [name]: { url: url.replace(/\/+$/, ""), token } };
  storeContexts(around.env, { current: name, ...stored, contexts });
  return undefined;
}

export async function removeContext({ around, words: [name = ""] }: CliCall): Promise<undefined> {
  const { current, contexts } = storedContexts(around.env);
  const { [name]: removed, ...rest } = contexts;
  if (!removed) throw wrongCall(`you have no context '${name}'`);
  const isCurrent = current === name;
  storeContexts(around.env, { ...(current && !isCurrent && { current }), contexts: rest });
  return undefined;
}

/** Prints the user and tenant in the token's claims, and the Slipway that is asked. */
export async function whoAmI(call: CliCall): Promise<undefined> {
  const { client, area } = connect(call);
  const claims = claimsIn(client.endpoint.token);
  const expires = typeof claims.exp === "number" ? new Date(claims.exp * 1000).toISOString() : "";
  const lines = [
    ["Slipway", client.endpoint.url],
    ["as", area === "private" ? "the provider" : "a tenant"],
    ["user", claims.preferred_username ?? claims.sub],
    ["tenant", claims.organization ?? claims.tenant],
    ["roles", claims.roles],
    ["issuer", claims.iss],
    ["until", expires],
  ].flatMap(([name, value]) => (value ? [`${String(name).padEnd(8)} ${String(value)}`] : []));
  call.around.out.write(`${lines.join("\n")}\n`);
  return undefined;
}

function claimsIn(token: string): Record<string, unknown> {
  try {
    return JSON.parse(payloadOf(token));
  } catch {
    return {};
  }
}
