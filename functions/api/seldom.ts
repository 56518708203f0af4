import { once } from "../once.ts";
import type { Outside, OutsideEnvironment } from "./outside.ts";

/**
 * What most requests do not ask is loaded with the first that does, all of it at once: each file of
 * its own would cost every start something.
 */
export function outsideWhenNeeded(env: OutsideEnvironment): Outside {
  const outside = once(async () => (await import("./outside.ts")).outsideOf(env));
  return {
    secrets: {
      get: async (reference) => (await outside()).secrets.get(reference),
      put: async (reference, value) => (await outside()).secrets.put(reference, value),
      remove: async (reference) => (await outside()).secrets.remove(reference),
    },
    reports: { take: async (report) => (await outside()).reports.take(report) },
    hubs: { client: async (hub) => (await outside()).hubs.client(hub) },
    webhooks: {
      refusal: async (url) => (await outside()).webhooks.refusal(url),
      post: async (url, request) => (await outside()).webhooks.post(url, request),
    },
  };
}
