import { badRequest, NeutronFault, notFound } from "./error.ts";
import type { Kind } from "./records.ts";
import type { Resource, Wire } from "./resource.ts";

/** Parameters that shape the answer; all others are filters. */
const shaping = new Set(["fields", "limit", "marker", "sort_key", "sort_dir", "page_reverse"]);
const tagFilters: Record<string, (tags: string[], wanted: string[]) => boolean> = {
  tags: (tags, wanted) => wanted.every((tag) => tags.includes(tag)),
  "tags-any": (tags, wanted) => wanted.some((tag) => tags.includes(tag)),
  "not-tags": (tags, wanted) => !wanted.every((tag) => tags.includes(tag)),
  "not-tags-any": (tags, wanted) => !wanted.some((tag) => tags.includes(tag)),
};

/** The answer to a list request: `{<collection>: […], <collection>_links: […]}`. */
export function answerList(resource: Resource, all: Wire[], url: URL, maxPage: number): Wire {
  const { collection } = resource;
  const query = url.searchParams;
  const sorted = sort(all.filter(filterOf(query)), query);
  const asked = query.get("limit");
  if (asked !== null && !/^\d+$/.test(asked)) {
    throw new NeutronFault(
      400,
      "BadRequest",
      `Limit must be an integer 0 or greater and not '${asked}'`,
    );
  }
  const limit = Math.min(Number(asked) || maxPage, maxPage);
  const marker = query.get("marker");
  const after = marker === null ? -1 : placeOf(marker, sorted, all, resource);
  const page = sorted.slice(after + 1, after + 1 + limit);
  const fields = query.getAll("fields");
  const links = [
    // A full page may be the last one, which the real server cannot tell either.
    ...(page.length === limit ? [link("next", url, String(page.at(-1)?.id))] : []),
    ...(marker !== null && page[0] ? [link("previous", url, String(page[0].id))] : []),
  ];
  return {
    [collection]: page.map((object) => pick(object, fields)),
    ...(asked !== null && links.length > 0 && { [`${collection}_links`]: links }),
  };
}

/** The index of a marker in a list. For an unknown marker, kinds differ as in Neutron. */
function placeOf(marker: string, sorted: Wire[], all: Wire[], { kind, missing }: Resource): number {
  const place = sorted.findIndex(({ id }) => id === marker);
  if (place >= 0 || all.some(({ id }) => id === marker)) return place;
  if (knowingTheirMarker.has(kind)) throw notFound(missing.type, missing.text(marker));
  return endingAtNoMarker.has(kind) ? sorted.length : -1;
}

const knowingTheirMarker: ReadonlySet<Kind> = new Set(["network", "port"]);
/** Kinds whose list is empty after an unknown marker; those in neither set start from the beginning. */
const endingAtNoMarker: ReadonlySet<Kind> = new Set(["router", "floatingip"]);

function link(rel: string, url: URL, marker: string) {
  const href = new URL(url);
  href.searchParams.set("marker", marker);
  return { rel, href: href.toString() };
}

/** The requested members. */
export function pick(object: Wire, fields: string[]): Wire {
  if (fields.length === 0) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => fields.includes(name)));
}

/** The filter of a query. Throws for a filter by a member that objects do not have. */
function filterOf(query: URLSearchParams): (object: Wire) => boolean {
  const names = [...new Set(query.keys())].filter((name) => !shaping.has(name));
  const filters = names.map((name): ((object: Wire) => boolean) => {
    const wanted = query.getAll(name);
    const byTags = tagFilters[name];
    if (byTags) return ({ tags }) => byTags(Array.isArray(tags) ? tags : [], split(wanted));
    const lowered = wanted.map((value) => value.toLowerCase());
    return (object) => {
      const value = object[name];
      if (value === undefined) throw badRequest(`['${name}'] is invalid attribute for filtering`);
      if (name === "fixed_ips") return hasFixedIp(value, wanted);
      return lowered.includes(String(value).toLowerCase());
    };
  });
  return (object) => filters.every((holds) => holds(object));
}

const split = (values: string[]): string[] => values.flatMap((value) => value.split(","));

/** `fixed_ips=ip_address=10.0.0.5&fixed_ips=subnet_id=…` */
function hasFixedIp(fixedIps: unknown, wanted: string[]): boolean {
  const have = Array.isArray(fixedIps) ? fixedIps : [];
  return wanted.every((condition) => {
    const [key = "", value] = condition.split("=");
    return have.some((fixedIp) => fixedIp[key] === value);
  });
}

function sort(objects: Wire[], query: URLSearchParams): Wire[] {
  const key = query.get("sort_key");
  if (key === null) return objects;
  const direction = query.get("sort_dir") === "desc" ? -1 : 1;
  return objects.toSorted((a, b) => direction * String(a[key]).localeCompare(String(b[key]), "en"));
}
