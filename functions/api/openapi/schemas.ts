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
import { switchSchema } from "../../../core/kernel/request/switch-schema.ts";
import { waitSchema } from "../../../core/kernel/saga/wait.ts";
import {
  credentialSchema,
  issuedCredentialSchema,
  revocationSchema,
} from "../../../core/ports/hub/credentials/port.ts";
import { capacitySchema } from "../../../core/reconcile/capacity-schema.ts";
import { drainPlanSchema } from "../../../core/reconcile/drain-plan.ts";
import { holdingSchema } from "../../../core/reconcile/owners/schema.ts";
import { siteNumbersSchema } from "../../../core/reconcile/owners/site-numbers.ts";
import { statusSchema } from "../../../core/reconcile/status/schema.ts";
import { deliverySchema } from "../../../core/resources/webhook/deliveries.ts";
import { capabilitiesSchema } from "../capabilities.ts";
import { watchEventSchema } from "../event-form.ts";
import { historyEntrySchema } from "../history.ts";
import { problemSchema } from "../problem.ts";
import { kindNames } from "../registry.ts";
import { wireSchemas } from "../schemas.ts";

/** A schema in the form of OpenAPI. */

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
  [drainPlanSchema, "DrainPlan"],
  [statusSchema, "Status"],
  [holdingSchema, "Holding"],
  [siteNumbersSchema, "SiteNumbers"],
  ...kindNames.map((kind) => [wireSchemas.public(kind), typeNameOf(kind)] as const),
  // A schema of both areas has the public name.
  ...kindNames
    .filter((kind) => wireSchemas.private(kind) !== wireSchemas.public(kind))
    .map((kind) => [wireSchemas.private(kind), `Private${typeNameOf(kind)}`] as const),
]);

/** Equal parts of all kinds, recognized by their content, since every kind builds its own. */
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

/** The components of a document, which its schemas refer to. */
export class Schemas {
  readonly components: Record<string, Description> = {};

  /** Refers to a schema. A named schema becomes a component, and so does its form for PATCH. */
  reference(schema: z.core.$ZodType, name = nameFor(schema)): Description {
    if (name === undefined) return this.#described(schema);
    return this.component(name, () => this.#described(schema));
  }

  /** The form for PATCH, in which no member is required; the merged object is checked. */
  partial(schema: z.core.$ZodType, name: string): Description {
    return this.component(name, () => this.#withoutRequired(this.#described(schema)));
  }

  /** An answer. A page of a list is named after its items. */
  answer(schema: z.core.$ZodType): Description {
    if (nameFor(schema) !== undefined) return this.reference(schema);
    const described = this.#described(schema);
    const listed = listedIn(described);
    return listed === undefined ? described : this.component(`${listed}List`, () => described);
  }

  component(name: string, describe: () => Description): Description {
    if (!Object.hasOwn(this.components, name)) {
      // Reserves the component's name, for schemas that refer to themselves.
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

  /** Replaces a part by a reference to the equal component, with the part's own description beside it. */
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

  /**
   * The form for PATCH of a referenced component, such as MetadataChange for MetadataInput; members that are
   * replaced as a whole stay unchanged.
   */
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

/** The named schema of a described one: `describe` makes a copy. */
function namedIn(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each; each = each._zod.parent)
    if (named.has(each)) return each;
  return undefined;
}

function nameFor(schema: z.core.$ZodType): string | undefined {
  const known = namedIn(schema);
  return known && named.get(known);
}

/** The description of the named schema. */
function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const known = namedIn(schema);
  return known && z.globalRegistry.get(known)?.description;
}

/** Descriptions of members that mean the same in every object; a member's own one takes precedence. */
const common: Record<string, string> = {
  id: "The object's id, unique among all objects of the kind.",
  metadata: "Its name, tenant, project, labels and annotations.",
  spec: "The desired state.",
  status: "The present state; only Slipway writes it.",
};

function describeCommon({ properties = {} }: z.core.JSONSchema.BaseSchema): void {
  if (!properties.metadata || !properties.id) return;
  for (const [name, description] of Object.entries(common)) {
    const member = properties[name];
    if (typeof member !== "object" || member.description !== undefined) continue;
    const isIgnored = Object.keys(member).length === 0;
    member.description = isIgnored ? "Written by Slipway; ignored in requests." : description;
  }
}

function listedIn({ properties }: Description): string | undefined {
  const { items } = (properties ?? {}) as { items?: { items?: { $ref?: string } } };
  return items?.items?.$ref?.split("/").at(-1);
}

/** Removes recursion: our only recursive schema is that of any JSON. */
function withoutRecursion(value: Description | null): Description | null {
  if (typeof value?.$ref !== "string" || !value.$ref.startsWith("#/$defs/")) return value;
  const { $ref: _, ...rest } = value;
  return rest;
}
