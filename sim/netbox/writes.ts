import * as z from "zod";
import { lengthOf } from "../../core/prefix.ts";
import { hostOf, spanOf } from "./addresses.ts";
import { invalid, NetboxRefusal } from "./error.ts";
import type { NetboxRecords } from "./records.ts";
import { type AssignableType, type Fields, type RowOf, statuses } from "./types.ts";

/** Clients' writes, validated as NetBox does, with references resolved. */

export interface WriteRules {
  records: NetboxRecords;
  /** The version of NetBox, such as 4.6. */
  version: number;
  /** Whether prefixes and addresses must be unique: ENFORCE_GLOBAL_UNIQUE. */
  isUnique: boolean;
}

const reference = z.union([
  z.int(),
  z.object({ slug: z.string() }),
  z.object({ name: z.string() }),
]);
const common = {
  status: z.string().optional(),
  description: z.string().max(200).optional(),
  tags: z.array(reference).optional(),
  custom_fields: z.record(z.string(), z.unknown()).optional(),
};
type Input = z.infer<z.ZodObject<typeof common>>;

const shapes = {
  "ipam.vlan": {
    ...common,
    name: z.string().min(1).max(64),
    vid: z.int().min(1).max(4094),
    group: z.int().nullable().default(null),
  },
  "ipam.prefix": { ...common, prefix: z.string(), vlan: z.int().nullable().default(null) },
  "ipam.ipaddress": { ...common, address: z.string(), dns_name: z.string().default("") },
};
const schemas: Record<AssignableType, z.ZodType<Input>> = {
  "ipam.vlan": z.object(shapes["ipam.vlan"]),
  "ipam.prefix": z.object(shapes["ipam.prefix"]),
  "ipam.ipaddress": z.object(shapes["ipam.ipaddress"]),
};
const partials: Record<AssignableType, z.ZodType<Input>> = {
  "ipam.vlan": z.object(shapes["ipam.vlan"]).partial(),
  "ipam.prefix": z.object(shapes["ipam.prefix"]).partial(),
  "ipam.ipaddress": z.object(shapes["ipam.ipaddress"]).partial(),
};

/** The fields of a new record, validated against the existing records. */
export function created<T extends AssignableType>(
  type: T,
  body: unknown,
  rules: WriteRules,
): Fields[T] {
  const input = parsed(schemas[type], body);
  const fields = {
    description: "",
    status: "active",
    ...(type === "ipam.ipaddress" && { assigned_object_id: null }),
    ...input,
    tags: tagsOf(input.tags ?? [], rules.records),
    custom_fields: customFieldsOf(type, input.custom_fields ?? {}, rules),
  } as Fields[T];
  check(type, fields, undefined, rules);
  return fields;
}

/** The fields that a PATCH changes. */
export function changed<T extends AssignableType>(
  type: T,
  row: RowOf<T>,
  body: unknown,
  rules: WriteRules,
): Partial<Fields[T]> {
  const input = parsed(partials[type], body);
  // Without the defaults of members that the body does not contain.
  const given = Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(body as object, name)),
  );
  const fields = {
    ...given,
    ...(input.tags && { tags: tagsOf(input.tags, rules.records) }),
    ...(input.custom_fields && {
      custom_fields: { ...row.custom_fields, ...customFieldsOf(type, input.custom_fields, rules) },
    }),
  } as Partial<Fields[T]>;
  check(type, { ...row, ...fields }, row.id, rules);
  return fields;
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (!error) return data;
  const fields = error.issues.map(({ path, message, input }): [string, string[]] => [
    String(path[0] ?? "non_field_errors"),
    [
      input === undefined && /expected|required/i.test(message)
        ? "This field is required."
        : message,
    ],
  ]);
  throw new NetboxRefusal(400, Object.fromEntries(fields));
}

const tagsOf = (given: z.infer<typeof reference>[], records: NetboxRecords): number[] =>
  given.map((tag) => {
    const found = records.list("extras.tag").find((each) => {
      if (typeof tag === "number") return each.id === tag;
      return "slug" in tag ? each.slug === tag.slug : each.name === tag.name;
    });
    if (found) return found.id;
    const named = JSON.stringify(tag).replaceAll('"', "'").replace(":", ": ");
    throw invalid("tags", `Related object not found using the provided attributes: ${named}`);
  });

function customFieldsOf(
  type: AssignableType,
  given: Record<string, unknown>,
  { records, version }: WriteRules,
): Record<string, unknown> {
  const known = records
    .list("extras.customfield")
    .filter(({ object_types }) => object_types.includes(type))
    .map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return given;
  if (version < 4.7)
    throw invalid("custom_fields", `Unknown field name '${unknown}' in custom field data.`);
  const text = `Custom field '${unknown}' does not exist for this object type.`;
  throw new NetboxRefusal(400, { custom_fields: { [unknown]: [text] } });
}

function check<T extends AssignableType>(
  type: T,
  fields: Fields[T],
  id: number | undefined,
  { records, version, isUnique }: WriteRules,
): void {
  if (!statuses[type]?.includes(fields.status))
    throw invalid("status", `"${fields.status}" is not a valid choice.`);
  const key = version < 4.7 ? "non_field_errors" : "__all__";
  if ("vid" in fields && fields.group !== null) {
    const { group, vid, name } = fields;
    const { name: title, vid_ranges: ranges } = records.known("ipam.vlangroup", group);
    if (!ranges.some(([first, last]) => first <= vid && vid <= last)) {
      const texts = ranges.map(([first, last]) => `${first}-${last}`).join(", ");
      throw invalid("vid", `VID must be in ranges ${texts} for VLANs in group ${title}`);
    }
    const others = records.list("ipam.vlan").filter((row) => row.id !== id && row.group === group);
    if (others.some((row) => row.vid === vid))
      throw invalid(key, "The fields group, vid must make a unique set.");
    if (others.some((row) => row.name === name))
      throw invalid(key, "The fields group, name must make a unique set.");
  }
  if ("prefix" in fields && isUnique) {
    const { prefix } = fields;
    const others = records.list("ipam.prefix").filter((row) => row.id !== id);
    if (others.some((row) => isSame(row.prefix, prefix)))
      throw invalid("prefix", `Duplicate prefix found in global table: ${prefix}`);
  }
  if ("address" in fields && isUnique) {
    const { address } = fields;
    const others = records.list("ipam.ipaddress").filter((row) => row.id !== id);
    if (others.some((row) => hostOf(row.address) === hostOf(address)))
      throw invalid("address", `Duplicate IP address found in global table: ${address}`);
  }
}

const isSame = (one: string, other: string): boolean =>
  spanOf(one).first === spanOf(other).first && lengthOf(one) === lengthOf(other);
