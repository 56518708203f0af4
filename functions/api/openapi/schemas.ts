import * as z from "zod";
import { auditEntrySchema, auditHeadSchema } from "../../../core/kernel/audit/entry.ts";
import { eventSchema } from "../../../core/kernel/events/events.ts";
import {
  idSchema,
  referenceInputSchema,
  systemMetadata,
} from "../../../core/kernel/input/reference.ts";
import { withoutChoice, withoutWidth } from "../../../core/kernel/object/json-schema.ts";
import { metadataInputSchema } from "../../../core/kernel/object/metadata.ts";
import { typeNameOf } from "../../../core/kernel/object/object.ts";
import { metadataSchema, referenceSchema } from "../../../core/kernel/object/wire.ts";
import { waitSchema } from "../../../core/kernel/saga/wait.ts";
import {
  credentialSchema,
  issuedCredentialSchema,
  revocationSchema,
} from "../../../core/ports/hub/credentials/port.ts";
import { capacitySchema } from "../../../core/reconcile/capacity.ts";
import { deliverySchema } from "../../../core/resources/webhook/deliveries.ts";
import { capabilitiesSchema } from "../capabilities.ts";
import { watchEventSchema } from "../event-form.ts";
import { historyEntrySchema } from "../history.ts";
import { problemSchema } from "../problem.ts";
import { kindNames } from "../registry.ts";
import { wireSchemas } from "../schemas.ts";
import { switchSchema } from "../switches.ts";

/** Schemas as OpenAPI has them. */

export type Description = Record<string, unknown>;

/** Schemas that are described once and referred to. */
const named = new Map<z.core.$ZodType, string>([
  [problemSchema, "Problem"],
  [capabilitiesSchema, "Capabilities"],
  [metadataSchema, "Metadata"],
  [referenceSchema, "Reference"],
  [waitSchema, "Wait"],
  [eventSchema, "Event"],
  [watchEventSchema, "WatchEvent"],
  [historyEntrySchema, "HistoryEntry"],
  [auditEntrySchema, "AuditEntry"],
  [auditHeadSchema, "AuditChain"],
  [deliverySchema, "Delivery"],
  [credentialSchema, "Credential"],
  [issuedCredentialSchema, "IssuedCredential"],
  [revocationSchema, "Revocation"],
  [switchSchema, "Switch"],
  [capacitySchema, "Capacity"],
  ...kindNames.map((kind) => [wireSchemas.public(kind), typeNameOf(kind)] as const),
  // Where they are the same, the public name is the one.
  ...kindNames
    .filter((kind) => wireSchemas.private(kind) !== wireSchemas.public(kind))
    .map((kind) => [wireSchemas.private(kind), `Private${typeNameOf(kind)}`] as const),
]);

/** Parts that every kind makes anew, all alike: they are found by their content. */
const alike = new Map(
  Object.entries({
    Id: idSchema,
    MetadataInput: metadataInputSchema.extend(systemMetadata),
    ReferenceInput: referenceInputSchema,
  }).map(([name, schema]) => {
    const { description: _, ...part } = jsonSchema(schema, withoutWidth);
    return [JSON.stringify(part), { name, part }];
  }),
);

/** The components of a document, which those that describe with it refer to. */
export class Schemas {
  readonly components: Record<string, Description> = {};

  /** A schema with a name of its own is a component, and so is what a PATCH may have of one. */
  reference(schema: z.core.$ZodType, name = nameFor(schema)): Description {
    if (name === undefined) return this.#described(schema);
    return this.component(name, () => this.#described(schema));
  }

  /** A PATCH may leave out what a POST must say; the merged object is judged. */
  partial(schema: z.core.$ZodType, name: string): Description {
    return this.component(name, () => this.#withoutRequired(this.#described(schema)));
  }

  /** A page of a list is named by what it lists. */
  answer(schema: z.core.$ZodType): Description {
    if (nameFor(schema) !== undefined) return this.reference(schema);
    const described = this.#described(schema);
    const listed = listedIn(described);
    return listed === undefined ? described : this.component(`${listed}List`, () => described);
  }

  component(name: string, describe: () => Description): Description {
    if (!Object.hasOwn(this.components, name)) {
      // Its place, for what refers to itself.
      this.components[name] = {};
      this.components[name] = describe();
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #described(schema: z.core.$ZodType): Description {
    const description = jsonSchema(schema, (part, zodSchema) => {
      withoutWidth(part);
      withoutChoice(part);
      describeCommon(part);
      const name = zodSchema === schema ? undefined : nameFor(zodSchema);
      if (name === undefined) return;
      const { description: said } = part;
      for (const member of Object.keys(part)) Reflect.deleteProperty(part, member);
      const own = said === descriptionOf(zodSchema) ? {} : { description: said };
      Object.assign(part, this.reference(namedIn(zodSchema) ?? zodSchema), own);
    });
    return JSON.parse(JSON.stringify(description), (_member, value) =>
      this.#withAlike(withoutRecursion(value)),
    );
  }

  /** Refers to the component that says the same; what is said of it here stays beside. */
  #withAlike(value: Description | null): Description | null {
    if (typeof value !== "object" || value === null) return value;
    const { description, ...rest } = value;
    const found = alike.get(JSON.stringify(rest));
    if (found === undefined) return value;
    const reference = this.component(found.name, () => found.part);
    return description === undefined ? reference : { ...reference, description };
  }

  #withoutRequired(description: Description): Description {
    const { required: _, $ref, ...rest } = description;
    if (typeof $ref === "string") return { ...rest, ...this.#changeOf($ref) };
    if (!rest.properties) return rest;
    const properties = Object.entries(rest.properties as Record<string, Description>).map(
      ([name, property]) => [name, this.#withoutRequired(property)],
    );
    return { ...rest, properties: Object.fromEntries(properties) };
  }

  /** MetadataInput has MetadataChange beside it; what is replaced whole stays as it is. */
  #changeOf($ref: string): Description {
    const name = $ref.split("/").at(-1) ?? "";
    const whole = this.components[name] ?? {};
    if (!name.endsWith("Input") || !whole.properties) return { $ref };
    return this.component(name.replace(/Input$/, "Change"), () => this.#withoutRequired(whole));
  }
}

type Override = (part: z.core.JSONSchema.BaseSchema, schema: z.core.$ZodType) => void;

function jsonSchema(schema: z.core.$ZodType, override: Override): Description {
  const options = { io: "input", unrepresentable: "any" } as const;
  const {
    $schema: _,
    $defs: __,
    ...description
  } = z.toJSONSchema(schema, {
    ...options,
    override: ({ zodSchema, jsonSchema: part }) => override(part, zodSchema),
  });
  return description;
}

/** A described schema is another than the one that has the name, and made of it. */
function namedIn(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each; each = each._zod.parent)
    if (named.has(each)) return each;
  return undefined;
}

function nameFor(schema: z.core.$ZodType): string | undefined {
  const known = namedIn(schema);
  return known && named.get(known);
}

/** What the schema that has the name says of itself. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const known = namedIn(schema);
  return known && z.globalRegistry.get(known)?.description;
}

/** What means the same of every object, where it says nothing else of itself. */
const common: Record<string, string> = {
  id: "Unique among all of its kind; what it is addressed by.",
  metadata: "Its name, whose it is, and what people note at it.",
  spec: "What its owner wants.",
  status: "What is; only Slipway writes it.",
};

function describeCommon({ properties = {} }: z.core.JSONSchema.BaseSchema): void {
  if (!properties.metadata || !properties.id) return;
  for (const [name, description] of Object.entries(common)) {
    const member = properties[name];
    if (typeof member !== "object" || member.description !== undefined) continue;
    const isIgnored = Object.keys(member).length === 0;
    member.description = isIgnored ? "Written by Slipway; what is sent is ignored." : description;
  }
}

function listedIn({ properties }: Description): string | undefined {
  const { items } = (properties ?? {}) as { items?: { items?: { $ref?: string } } };
  return items?.items?.$ref?.split("/").at(-1);
}

/** The only schema of ours that refers to itself is that of any JSON. */
function withoutRecursion(value: Description | null): Description | null {
  if (typeof value?.$ref !== "string" || !value.$ref.startsWith("#/$defs/")) return value;
  const { $ref: _, ...rest } = value;
  return rest;
}
