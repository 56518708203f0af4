import { HttpMethod, RequestContext } from "@kubernetes/client-node";
import * as z from "zod";
import { readLines, readText } from "../core/http-body.ts";
import type { PooledConfig } from "../core/ports/kubernetes/connection.ts";
import { type KubeObject, kubeObjectSchema } from "../core/ports/kubernetes/kube-object.ts";

/** The server no longer has the requested version: list again. */
export class Expired extends Error {}

export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: KubeObject;
}

/** Nothing has changed up to this version. */
export interface Bookmark {
  type: "BOOKMARK";
  object: { metadata: { resourceVersion: string } };
}

const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["ADDED", "MODIFIED", "DELETED"]), object: kubeObjectSchema }),
  z.object({
    type: z.literal("BOOKMARK"),
    object: z.object({ metadata: z.object({ resourceVersion: z.string() }) }),
  }),
  z.object({
    type: z.literal("ERROR"),
    object: z.object({ code: z.number().optional(), message: z.string().optional() }),
  }),
]);

/** The server has accepted the watch, and sends the changes next. */
interface Opened {
  type: "OPENED";
}

/**
 * The changes of a collection after a version, until the server ends the watch. Throws Expired, or
 * the error that broke the connection.
 */
export async function* watchStream(
  config: PooledConfig,
  url: URL,
  signal: AbortSignal,
): AsyncGenerator<Opened | WatchEvent | Bookmark> {
  const context = new RequestContext(url.href, HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  const response = await config.send(context, signal);
  if (response.status === 410) throw new Expired("the version is too old");
  if (!response.ok || response.body === null) {
    await readText(response);
    throw new Error(`the watch was refused with ${response.status}`);
  }
  yield { type: "OPENED" };
  for await (const line of readLines(response)) {
    const event = lineSchema.parse(JSON.parse(line));
    if (event.type !== "ERROR") yield event;
    else if (event.object.code === 410) throw new Expired("the version is too old");
    else throw new Error(event.object.message ?? "the watch failed");
  }
}
