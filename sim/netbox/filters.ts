import { lengthOf } from "../../core/prefix.ts";
import { contains, hostOf, spanOf } from "./addresses.ts";
import { invalid } from "./error.ts";
import type { NetboxRecords } from "./records.ts";
import { type NetboxType, type RowOf, statuses } from "./types.ts";

/** The filters of lists. As in NetBox, unknown filters are ignored, and invalid values of known filters are refused. */

type Row = RowOf<NetboxType>;
type Test = (row: Row) => boolean;
/** Makes a test from all values of a filter. */
type Filter = (values: string[], records: NetboxRecords) => Test;

const of = (row: Row, field: string): unknown => (row as unknown as Record<string, unknown>)[field];

const exact =
  (field: string): Filter =>
  (values) =>
  (row) =>
    values.includes(String(of(row, field)));

const compared =
  (field: string, holds: (value: number, bound: number) => boolean): Filter =>
  (values) =>
  (row) =>
    values.some((bound) => holds(scalar(of(row, field)), scalar(bound)));
const scalar = (value: unknown): number =>
  typeof value === "string" && value.includes("T") ? Date.parse(value) : Number(value);

/** A number or a time, with their lookups. */
const ordered = (name: string): Record<string, Filter> => ({
  [name]: exact(name),
  [`${name}__n`]: (values) => (row) => !values.includes(String(of(row, name))),
  [`${name}__gt`]: compared(name, (value, bound) => value > bound),
  [`${name}__gte`]: compared(name, (value, bound) => value >= bound),
  [`${name}__lt`]: compared(name, (value, bound) => value < bound),
  [`${name}__lte`]: compared(name, (value, bound) => value <= bound),
});

const noChoice = (name: string, value: string) =>
  invalid(name, `Select a valid choice. ${value} is not one of the available choices.`);

/** A reference, filtered by a field of the record that it refers to. */
const reference =
  (name: string, field: string, type: NetboxType, by: string): Filter =>
  (values, records) => {
    const ids = values.map((value) => {
      const found = records.list(type).find((row) => String(of(row, by)) === value);
      if (!found) throw noChoice(name, value);
      return found.id;
    });
    return (row) => ids.includes(Number(of(row, field)));
  };

const status =
  (type: NetboxType): Filter =>
  (values) => {
    const wrong = values.find((value) => !statuses[type]?.includes(value));
    if (wrong !== undefined) throw noChoice("status", wrong);
    return (row) => values.includes(String(of(row, "status")));
  };

const common: Record<string, Filter> = {
  ...ordered("id"),
  ...ordered("created"),
  ...ordered("last_updated"),
  tag(values, records) {
    const ids = values.map((slug) => {
      const tag = records.list("extras.tag").find((each) => each.slug === slug);
      if (!tag) throw noChoice("tag", slug);
      return tag.id;
    });
    return (row) => ids.every((id) => (of(row, "tags") as number[] | undefined)?.includes(id));
  },
};

const filters: Partial<Record<NetboxType, Record<string, Filter>>> = {
  "dcim.device": {
    name: exact("name"),
    serial: exact("serial"),
    site: reference("site", "site", "dcim.site", "slug"),
    role: reference("role", "role", "dcim.devicerole", "slug"),
    status: status("dcim.device"),
  },
  "dcim.interface": { device_id: exact("device"), name: exact("name") },
  "ipam.vlan": {
    group_id: reference("group_id", "group", "ipam.vlangroup", "id"),
    ...ordered("vid"),
    name: exact("name"),
    status: status("ipam.vlan"),
  },
  "ipam.prefix": {
    prefix: exact("prefix"),
    within: ([whole = ""]) => {
      const outer = spanOf(whole);
      return (row) => {
        const prefix = String(of(row, "prefix"));
        return contains(outer, spanOf(prefix)) && lengthOf(prefix) > lengthOf(whole);
      };
    },
    mask_length: (values) => (row) => values.includes(String(lengthOf(String(of(row, "prefix"))))),
    status: status("ipam.prefix"),
  },
  "ipam.ipaddress": {
    parent: (values) => (row) => {
      const host = hostOf(String(of(row, "address")));
      return values.some((whole) => contains(spanOf(whole), { first: host, last: host }));
    },
    address: (values) => (row) =>
      values.some((address) => hostOf(address) === hostOf(String(of(row, "address")))),
    status: status("ipam.ipaddress"),
  },
  "extras.tag": { slug: exact("slug"), name: exact("name") },
  "extras.customfield": { name: exact("name") },
  "core.objectchange": {
    changed_object_type: exact("changed_object_type"),
    time_after: compared("time", (value, bound) => value >= bound),
    time_before: compared("time", (value, bound) => value <= bound),
  },
};

export function filtered<T extends NetboxType>(
  records: NetboxRecords,
  type: T,
  query: URLSearchParams,
): RowOf<T>[] {
  const known = { ...common, ...filters[type], ...customFilters(records, type) };
  const tests = [...new Set(query.keys())].flatMap((name) => {
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    return filter ? [filter(query.getAll(name), records)] : [];
  });
  return records.list(type).filter((row) => tests.every((test) => test(row)));
}

/** A custom field matches loosely by default: any part of its text. */
function customFilters(records: NetboxRecords, type: NetboxType): Record<string, Filter> {
  const fields = records
    .list("extras.customfield")
    .filter((each) => each.object_types.includes(type) && each.filter_logic !== "disabled");
  return Object.fromEntries(
    fields.map(({ name, filter_logic }): [string, Filter] => [
      `cf_${name}`,
      (values) => (row) => {
        const value = (of(row, "custom_fields") as Record<string, unknown> | undefined)?.[name];
        if (typeof value !== "string") return false;
        if (filter_logic === "exact") return values.includes(value);
        return values.some((part) => value.toLowerCase().includes(part.toLowerCase()));
      },
    ]),
  );
}
