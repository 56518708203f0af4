import type * as z from "zod";
import { ManagerError } from "./error.ts";

/** Checks the API version of a request, which each request must name and the endpoint must support. */
export function requireVersion({ headers }: Request, served = "1.0"): void {
  const accept = headers.get("accept") ?? "";
  const asked = /^application\/vnd\.ceph\.api\.v(\d+\.\d+)\+json$/.exec(accept)?.[1];
  if (asked === undefined) throw new ManagerError(415, "Unable to find version in request header");
  const [major, minor] = asked.split(".").map(Number);
  const [servedMajor, servedMinor] = served.split(".").map(Number);
  if (major !== servedMajor || (minor ?? 0) > (servedMinor ?? 0)) {
    const message = `Incorrect version: endpoint is '${served}', client requested '${asked}'`;
    throw new ManagerError(415, message);
  }
}

/** Parses a body. As in the manager, a missing parameter is an unhandled error. */
export async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const json: unknown = await request.json().catch(() => undefined);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => `'${path.join(".")}'`).join(", ");
  throw new Error(`missing or wrong parameters: ${names}`);
}
