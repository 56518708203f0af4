import type { Verb } from "../../../core/kernel/request/permissions.ts";
import { rolesFor } from "../permissions.ts";
import type { Route } from "../route.ts";
import type { Bodies } from "./bodies.ts";
import { openApiParametersOf } from "./parameters.ts";
import type { Responses } from "./responses.ts";
import type { Description } from "./schemas.ts";
import { tagOf } from "./tags.ts";

/** One route as an operation. */

export function operationOf(
  route: Route,
  { bodies, responses }: { bodies: Bodies; responses: Responses },
): Description {
  const { area, subject, summary } = route;
  const requestBody = bodies.of(route);
  return {
    operationId: operationId(route),
    summary,
    description: descriptionOf(route),
    tags: [tagOf(area, subject)],
    parameters: openApiParametersOf(route),
    ...(requestBody && { requestBody }),
    responses: responses.of(route),
  };
}

/**
 * The id of an operation. Three operations read credentials of a cluster; the kubeconfig's has the
 * plain name.
 */
function operationId({ area, subject, verb, path }: Route): string {
  const last = path.split("/").at(-1) ?? "";
  const others: Record<string, string> = { password: ".password", credentials: ".list" };
  return `${area}.${subject}.${verb}${(verb === "credentials" && others[last]) || ""}`;
}

/** The default descriptions of a collection's verbs. */
const usual: Partial<Record<Verb, string>> = {
  list: "All objects that you may see, a page at a time.",
  get: "One object, by its `id`.",
  create: "Checks every rule and names every fault at once. `dry_run=true` stores nothing.",
  update:
    "Changes the members in the body. Objects are merged; texts, numbers, lists and maps are replaced whole; `null` clears.",
  delete: "Refused while something else uses it.",
};

function descriptionOf({ area, subject, verb, summary, description }: Route): string {
  const roles = rolesFor(area, subject, verb).map((role) => `\`${role}\``);
  return `${description ?? usual[verb] ?? `${summary}.`}\n\nFor ${roles.join(", ")}.`;
}
