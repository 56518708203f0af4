import type * as z from "zod";
import { IronicError } from "./error.ts";

/** What a request to Ironic says. */

const header = "x-openstack-ironic-api-version";

export const versionIn = (request: Request): number =>
  Number(/^1\.(\d+)$/.exec(request.headers.get(header) ?? "1.1")?.[1] ?? 1);

/** What came with a later version does not exist for a client of an earlier one. */
export function requireVersion(request: Request, version: number): void {
  if (versionIn(request) < version) throw new IronicError(404, "Not Found");
}

export async function parsed<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body = schema.safeParse(await request.json().catch(() => undefined));
  if (body.success) return body.data;
  throw new IronicError(400, `Schema error for body: ${body.error.issues[0]?.message}`);
}
