import type { Handover } from "../../core/ports/aws/lambda.ts";
import { once } from "./once.ts";

/** Loads Lambda's client with the first call, for a shorter start. */
export function handover(): Handover {
  const made = once(async () => (await import("./invocation.ts")).handover());
  return { later: async (worker, call) => (await made()).later(worker, call) };
}
