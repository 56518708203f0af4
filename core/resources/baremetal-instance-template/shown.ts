import type { BaremetalInstanceTemplate } from "./model.ts";

/** The content of a template in the form of the API. */
export function contentShown({ spec }: Pick<BaremetalInstanceTemplate, "spec">) {
  const { image, ...rest } = spec;
  return { ...rest, spec_defaults: image ? { image } : {} };
}
