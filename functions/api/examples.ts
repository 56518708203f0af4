import {
  type Documentation,
  documentationOf,
  type Example,
} from "../../core/kernel/request/documentation.ts";
import { documentations } from "../../core/resources/generated/documentations.ts";
import { isRegisteredKind } from "./registry.ts";
import type { Route } from "./route.ts";

/** The example of a body: the route's own, or the kind's for new objects and for changes. */
export function exampleOf({ area, subject, verb, example: own }: Route): Example {
  if (own) return own;
  const { example, change, belongsToTenants }: Partial<Documentation> = isRegisteredKind(subject)
    ? documentationOf(documentations, subject)
    : {};
  if (verb === "update") return change ?? { metadata: { labels: { team: "blue" } } };
  if (verb !== "create") return {};
  if (area === "public" || !belongsToTenants) return example ?? {};
  return { ...example, metadata: { ...Object(example?.metadata), tenant: "tenant-a" } };
}
