import type { Site } from "./model.ts";

/** The spec as the API shows it: credentials are never answered, not even where they are. */
export const siteSpecShown = ({ spec: { credentials: _, ...spec } }: Pick<Site, "spec">) => spec;
