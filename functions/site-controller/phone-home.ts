import type { HonoRequest } from "hono";
import { readBody } from "../api/body.ts";

/** A machine's report after its start, in cloud-init's form or as JSON. */
export async function phoneHomeIn(request: HonoRequest): Promise<Record<string, unknown>> {
  const type = request.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return readBody(request);
  return Object.fromEntries(new URLSearchParams(await request.text()));
}
