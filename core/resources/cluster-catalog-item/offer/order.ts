import type { Violation } from "../../../error.ts";
import { parseLeniently } from "../../../kernel/input/parse.ts";
import type { ReferenceInput } from "../../../kernel/input/reference.ts";
import type { JsonObject } from "../../../kernel/input/shape.ts";
import { type Kind, typeNameOf } from "../../../kernel/object/object.ts";
import type { ObjectOf } from "../../../kernel/object/object-of.ts";
import type { Records } from "../../../kernel/object/records.ts";
import { begun } from "../../../kernel/request/begun.ts";
import { resolve } from "../../../kernel/request/resolve.ts";
import type { Item } from "../../../kernel/store/store.ts";
import { applied } from "./apply.ts";
import { type CatalogItemKind, type CatalogItemSpec, isOffered, type Offerable } from "./item.ts";

/** An order that names an offer. */
interface ByOffer<K extends CatalogItemKind, T extends Kind, Spec> {
  kind: K;
  /** The kind of the templates that these offers name. */
  templates: T;
  tenant: string;
  item: ReferenceInput;
  /** The spec of the order, without the offer. */
  spec: Spec;
  offerable: Offerable;
}

interface Found<K extends CatalogItemKind, T extends Kind, Spec> {
  item: ObjectOf[K];
  spec: Spec;
  /** The search for the item's template, begun early if the claim of the item's name tells its id. */
  template: Promise<ObjectOf[T] | undefined> | undefined;
}

/**
 * The item that an order names, and the order's spec with the item's values, which then gets the same checks as any
 * other. Undefined, with a violation, for an item that the tenant cannot order.
 */
export async function byOffer<K extends CatalogItemKind, T extends Kind, Spec extends object>(
  records: Records,
  { kind, templates, tenant, item: named, spec, offerable }: ByOffer<K, T, Spec>,
  violations: Violation[],
): Promise<Found<K, T, Spec> | undefined> {
  const searches = new Map<string, Promise<ObjectOf[T] | undefined>>();
  const claimed = ({ template: id }: Item) => {
    if (typeof id === "string")
      searches.set(id, begun(resolve(records, templates, tenant, { id })));
  };
  const item = await resolve(records, kind, tenant, named, claimed);
  if (!item || !isOrderable(item, tenant)) {
    const { id, name } = typeof named === "string" ? { id: named, name: named } : named;
    violations.push({
      field: "spec.catalog_item",
      message: `${typeNameOf(kind)} "${name || id || ""}" not found`,
    });
    return undefined;
  }
  // Through JSON, which drops undefined members.
  const given: JsonObject = JSON.parse(JSON.stringify(spec));
  const whole = applied(offerable, item.spec.field_definitions, given, violations);
  const { value, violations: more } = parseLeniently(offerable.schema(), whole);
  violations.push(...more.map((each) => ({ ...each, field: `spec.${each.field}` })));
  // The schema describes the order's spec, so the parsed value has that type.
  const template = searches.get(item.spec.template.id);
  return { item, spec: (value ?? spec) as Spec, template };
}

const isOrderable = (
  { spec, metadata }: { spec: CatalogItemSpec; metadata: { tenant: string } },
  tenant: string,
): boolean => (metadata.tenant === tenant ? spec.published : isOffered(spec, tenant));
