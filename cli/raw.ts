import { commandOf } from "./api/commands.ts";
import { destroys } from "./api/destroys.ts";
import { operations } from "./api/operations.ts";
import type { Around } from "./around.ts";
import { type CliCall, connect } from "./call.ts";
import type { Client } from "./client.ts";
import { wrongCall } from "./exit.ts";
import { fileText, parsedYaml } from "./generic/body.ts";
import { confirm, needsYes } from "./generic/confirm.ts";
import { idIn } from "./generic/find.ts";
import { allPages } from "./generic/list.ts";
import { jsonOf, textFor } from "./output/unsafe.ts";

/** `slipway api GET /api/…`: sends any request, and prints the answer unchanged. */

export interface RawApiOptions {
  paginate?: boolean;
  from?: string;
  /** Skips the confirmation. */
  yes?: boolean;
}

const methods = ["GET", "POST", "PATCH", "DELETE"];

export async function rawRequest(call: CliCall<RawApiOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const [first = "", second] = words;
  const method = second === undefined ? "GET" : first.toUpperCase();
  const path = second ?? first;
  if (!methods.includes(method))
    throw wrongCall(`unknown method '${first}'; use one of ${methods.join(", ")}`);
  if (!path.startsWith("/"))
    throw wrongCall("the path begins with /, such as /api/private/v1/hosts");
  const { client } = connect(call);
  if (options.paginate) {
    if (method !== "GET") throw wrongCall("--paginate is for GET");
    const { pathname, search } = new URL(path, client.endpoint.url);
    const query = Object.fromEntries(new URLSearchParams(search));
    const page = await allPages(
      client,
      { path: pathname },
      { query, limit: Number.MAX_SAFE_INTEGER },
    );
    around.out.write(`${jsonOf(page, 2)}\n`);
    return undefined;
  }
  const body: unknown =
    options.from === undefined
      ? undefined
      : await parsedYaml(fileText(around, options.from), options.from);
  if (!options.yes) await confirmRequest(around, client, { method, path });
  const answer = await client.ask({
    method,
    path,
    body,
    ...(method === "POST" && { isKeyed: true }),
  });
  const isJson = answer.body !== undefined;
  around.out.write(isJson ? `${jsonOf(answer.body, 2)}\n` : textFor(around.out, answer.text));
  return undefined;
}

/** Asks for confirmation before a request that destroys, as its command does. Throws without it. */
async function confirmRequest(
  around: Around,
  client: Client,
  { method, path }: { method: string; path: string },
): Promise<void> {
  const { pathname, searchParams } = new URL(path, client.endpoint.url);
  if (searchParams.get("dry_run") === "true") return;
  const known = operations().flatMap((operation) => {
    const id = operation.method === method ? idIn(operation, pathname) : undefined;
    return id === undefined ? [] : [{ operation, id }];
  });
  const [meant] = known;
  if (meant && destroys(meant.operation)) {
    const command = commandOf(meant.operation) ?? `api ${method}`;
    await confirm(around, client, { ...meant, command });
  }
  // A later server may have operations that this CLI does not know.
  if (method === "DELETE" && !meant) throw needsYes(`api ${method} ${pathname}`);
}
