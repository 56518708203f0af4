import { typeNameOf } from "../../../core/kernel/object/object.ts";
import { exampleOf } from "../examples.ts";
import { emptyBody, type Route } from "../route.ts";
import type { Description, Schemas } from "./schemas.ts";

/** The bodies of requests. A body that several operations take is described once. */
export class Bodies {
  readonly components: Record<string, Description> = {};
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** Refers to the body of a route; undefined for a route without one. */
  of(route: Route): Description | undefined {
    const { body } = route;
    if (!body) return undefined;
    const schemaName = nameOf(route);
    const schema = route.partial
      ? this.#schemas.partial(body, schemaName)
      : this.#schemas.reference(body, schemaName);
    const content = { "application/json": { schema, example: exampleOf(route) } };
    const described = { required: !body.safeParse({}).success, content };
    const text = JSON.stringify(described);
    // In the provider's area the example of a tenant's object names the tenant.
    for (const name of [schemaName, `Private${schemaName}`]) {
      this.components[name] ??= described;
      if (JSON.stringify(this.components[name]) === text)
        return { $ref: `#/components/requestBodies/${name}` };
    }
    throw new Error(`three bodies are called ${schemaName}`);
  }
}

/** The name of a body's schema, such as ClusterInput or ClusterChange; the same in both areas. */
function nameOf({ subject, verb, partial, body }: Route): string {
  if (verb === "report") return "HubReport";
  if (verb === "issue") return "CredentialRequest";
  if (body === emptyBody) return "Empty";
  if (verb !== "create" && verb !== "update") return typeNameOf(subject) + typeNameOf(verb);
  return typeNameOf(subject) + (partial ? "Change" : "Input");
}
