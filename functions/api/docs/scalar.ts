import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/**
 * Scalar's API reference for browsers, compressed: from the file that the bundler has written, else from its
 * package. Of the packages with this script, only the Fastify plugin works without hundreds of dependencies; it
 * offers the script only through the routes that it adds.
 */
export async function scalarScript(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readFile(new URL("assets/scalar.js.gz", import.meta.url));
  } catch {
    return promisify(gzip)(await scriptInPackage());
  }
}

interface Added {
  url: string;
  handler(request: object, reply: { header(): object; send(body: string): void }): void;
}

async function scriptInPackage(): Promise<string> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const added: Added[] = [];
  const fastify = { route: (route: Added) => added.push(route) };
  // Declares only the part of Fastify that the plugin uses.
  const register = plugin as unknown as (to: object, options: object, done: () => void) => void;
  register(fastify, { configuration: { url: "/docs/openapi.json" } }, () => undefined);
  let script: string | undefined;
  const reply = {
    header: () => reply,
    send: (body: string) => {
      script = body;
    },
  };
  added.find(({ url }) => url.endsWith(".js"))?.handler({}, reply);
  if (script === undefined) throw new Error("the package has no script");
  return script;
}
