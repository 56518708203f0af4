import type { Secrets } from "../../core/ports/secrets/secrets.ts";

/** Secrets in memory; who wants to look inside brings the map. */
export function memorySecrets(values = new Map<string, string>()): Secrets {
  return {
    get: async (reference) => values.get(reference),
    put: async (reference, value) => {
      values.set(reference, value);
    },
    remove: async (reference) => {
      values.delete(reference);
    },
  };
}
