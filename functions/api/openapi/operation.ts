import type * as z from "zod";
import { typeNameOf } from "../../../core/kernel/object/object.ts";
import type { Verb } from "../../../core/kernel/request/permissions.ts";
import { exampleOf } from "../examples.ts";
import { rolesFor } from "../permissions.ts";
import { emptyBody, type Route } from "../route.ts";
import { openApiParametersOf } from "./parameters.ts";
import type { Responses } from "./responses.ts";
import type { Description, Schemas } from "./schemas.ts";
import { tagOf } from "./tags.ts";

/** One route as an operation. */

const json = "application/json";

export function operationOf(
  route: Route,
  { schemas, responses }: { schemas: Schemas; responses: Responses },
): Description {
  const { area, subject, summary, body } = route;
  return {
    operationId: operationId(route),
    summary,
    description: descriptionOf(route),
    tags: [tagOf(area, subject)],
    parameters: openApiParametersOf(route),
    ...(body && { requestBody: bodyOf(route, body, schemas) }),
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
    "Changes the members that the body has. Objects are descended into; texts, numbers, lists and maps are replaced whole; `null` clears.",
  delete: "Refused while something else uses it.",
};

function descriptionOf({ area, subject, verb, summary, description }: Route): string {
  const roles = rolesFor(area, subject, verb).map((role) => `\`${role}\``);
  return `${description ?? usual[verb] ?? `${summary}.`}\n\nFor ${roles.join(", ")}.`;
}

function bodyOf(route: Route, body: z.ZodType, schemas: Schemas): Description {
  const name = bodyName(route);
  const schema = route.partial ? schemas.partial(body, name) : schemas.reference(body, name);
  const example = exampleOf(route);
  const required = !body.safeParse({}).success;
  return { required, content: { [json]: { schema, example } } };
}

/** The name of a body's schema, such as ClusterInput or ClusterChange; the same in both areas. */
function bodyName({ subject, verb, partial, body }: Route): string {
  if (verb === "report") return "HubReport";
  if (verb === "issue") return "CredentialRequest";
  if (body === emptyBody) return "Empty";
  if (verb !== "create" && verb !== "update") return typeNameOf(subject) + typeNameOf(verb);
  return typeNameOf(subject) + (partial ? "Change" : "Input");
}
