import type { Violation } from "../../../error.ts";
import { parseLeniently } from "../../../kernel/input/parse.ts";
import type { ReferenceInput } from "../../../kernel/input/reference.ts";
import type { JsonObject } from "../../../kernel/input/shape.ts";
import { typeNameOf } from "../../../kernel/object/object.ts";
import type { ObjectOf } from "../../../kernel/object/object-of.ts";
import type { Records } from "../../../kernel/object/records.ts";
import { resolve } from "../../../kernel/request/resolve.ts";
import type { Item } from "../../../kernel/store/store.ts";
import { applied } from "./apply.ts";
import { type CatalogItemKind, type CatalogItemSpec, isOffered, type Offerable } from "./item.ts";

/** An order by an offer. */
interface ByOffer<K extends CatalogItemKind, Spec> {
  kind: K;
  tenant: string;
  item: ReferenceInput;
  /** The spec of the order, without the item. */
  spec: Spec;
  offerable: Offerable;
  /** Gets the claim of the item's name, which says the template too. */
  claimed?: ((claim: Item) => void) | undefined;
}

/**
 * The item that an order names, and the order's spec with the item's values, which is then judged like any other;
 * undefined, with a violation, for an item that is not offered.
 */
export async function byOffer<K extends CatalogItemKind, Spec extends object>(
  records: Records,
  { kind, tenant, item: named, spec, offerable, claimed }: ByOffer<K, Spec>,
  violations: Violation[],
): Promise<{ item: ObjectOf[K]; spec: Spec } | undefined> {
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
  // The schema is that of the order's spec.
  return { item, spec: (value ?? spec) as Spec };
}

const isOrderable = (
  { spec, metadata }: { spec: CatalogItemSpec; metadata: { tenant: string } },
  tenant: string,
): boolean => (metadata.tenant === tenant ? spec.published : isOffered(spec, tenant));
