import type { Site } from "../../at-site/site.ts";

/** The spec in the form of the API, which answers neither credentials nor their reference. */
export const siteSpecShown = ({ spec: { credentials: _, ...spec } }: Pick<Site, "spec">) => spec;
