import type * as z from "zod";
import { IronicError } from "./error.ts";

/** Parts of a request to Ironic. */

const header = "x-openstack-ironic-api-version";

export const versionIn = (request: Request): number =>
  Number(/^1\.(\d+)$/.exec(request.headers.get(header) ?? "1.1")?.[1] ?? 1);

/** Answers clients of an earlier API version as if a later feature did not exist. */
export function requireVersion(request: Request, version: number): void {
  if (versionIn(request) < version) throw new IronicError(404, "Not Found");
}

export async function parsed<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body = schema.safeParse(await request.json().catch(() => undefined));
  if (body.success) return body.data;
  throw new IronicError(400, `Schema error for body: ${body.error.issues[0]?.message}`);
}
