import type { Handover } from "../core/ports/aws/lambda.ts";
import { once } from "./once.ts";

/** Lambda's client is loaded with the first call that is handed over: a start is shorter without it. */
export function handover(): Handover {
  const made = once(async () => (await import("./invocation.ts")).handover());
  return { later: async (worker, call) => (await made()).later(worker, call) };
}
