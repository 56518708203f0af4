import { once } from "../runtime/once.ts";
import type { ApiOutside, OutsideEnvironment } from "./outside.ts";

/**
 * The clients that few requests need, loaded together with the first such request: each further file slows the
 * start.
 */
export function lazyOutside(env: OutsideEnvironment): ApiOutside {
  const outside = once(async () => (await import("./outside.ts")).apiOutsideOf(env));
  return {
    secrets: {
      get: async (reference) => (await outside()).secrets.get(reference),
      put: async (reference, value) => (await outside()).secrets.put(reference, value),
      remove: async (reference) => (await outside()).secrets.remove(reference),
    },
    reports: { take: async (report) => (await outside()).reports.take(report) },
    askableHubs: { client: async (hub) => (await outside()).askableHubs.client(hub) },
    webhooks: {
      refusal: async (url) => (await outside()).webhooks.refusal(url),
      post: async (url, request) => (await outside()).webhooks.post(url, request),
    },
  };
}
