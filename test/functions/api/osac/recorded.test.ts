import { beforeEach, describe, expect, it } from "vitest";
import {
  allKinds,
  events,
  kinds,
  type Section,
  unservedPaths,
} from "../../../../functions/api/docs/osac/differences.ts";
import { type Api, catalogApi } from "../../../support/api.ts";
import { type Recorded, type Request, recorded, type Told } from "./recorded.ts";

/** Requests whose answers of OSAC's server are known: ours is the same, or what a row of the page says. */

const osac = { Accept: "application/json;profile=osac" };
let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const ask = ({ as, method, path, body, headers }: Request, id: string) =>
  api.ask(as, method, path.replace("{id}", id), body, { ...osac, ...headers });

describe.each(byRow())("%s", (_, cases) => {
  it.each(cases.map((each) => [titleOf(each), each] as const))("%s", async (_, each) => {
    let id = "";
    for (const request of each.before ?? []) {
      const answer = await ask(request, id);
      expect(answer.status, answer.text).toBe(200);
      id = answer.body.id ?? id;
    }
    const { status, headers, body, text } = await ask(each.request, id);
    const told: Told = each.ours ?? each.peer;
    expect(status, text).toBe(told.status);
    if (told.code !== undefined) expect(body.code).toBe(told.code);
    if (told.body) expect(body).toMatchObject(told.body);
    for (const path of told.without ?? []) expect(body).not.toHaveProperty(path);
    for (const [name, value] of Object.entries(told.headers ?? {}))
      expect(headers.get(name), name).toBe(value);
  });
});

function titleOf({ about, request, peer, ours }: Recorded): string {
  const { as, method, path } = request;
  const answers = ours ? `${ours.status} where OSAC has ${peer.status}` : `${peer.status} as OSAC`;
  return `${about === undefined ? "" : `${about}: `}${method} ${path} by ${as} is ${answers}`;
}

function byRow(): [string, Recorded[]][] {
  return [...Map.groupBy(recorded, ({ row }) => row)];
}

/** The sections of the page with their rows, `section: first cell`, and their marks. */
const sections: Readonly<Record<string, Section>> = { "All kinds": allKinds, ...kinds, events };
const rows = new Map<string, string>([
  ...Object.entries(sections).flatMap(([title, section]) =>
    section.rows.map(([about, mark]) => [`${title}: ${about}`, mark] as const),
  ),
  ...unservedPaths.map((path) => [`Not served: \`${path}\``, "not there"] as const),
]);
/** Kinds that OSAC declares and does not serve, so that nothing can be recorded of them. */
const unserved = new Set(Object.keys(kinds).filter((name) => kinds[name]?.isDeclaredOnly));

/** Rows that differ, and of which the comparison recorded no request. */
const unrecorded = new Map<string, string>([
  ["All kinds: `metadata.version`", "no controller ran, which writes status"],
  ["All kinds: soft deletion", "both answer 200; the times were not recorded"],
  ["All kinds: unknown parameters", "read in OSAC's code"],
  ["All kinds: `metadata.finalizers`", "they are a controller's"],
  ["clusters: `spec.catalog_item`", "read in OSAC's code"],
  ["clusters: `spec.version`", "upgrades need a controller"],
  ["clusters: `spec.network_attachment.subnet`, `security_groups`", "no subnet gets READY"],
  ["cluster_versions: `spec.image`", "read in OSAC's code"],
  ["bare_metal_instance_types: `id`", "no servers"],
  ["baremetal_instances: `spec.image.source_type`, `source_ref`", "no servers"],
  [
    "baremetal_instances: `spec.network_attachments[].subnet`, `security_groups`, `interface`, `primary`",
    "no servers",
  ],
  ["bare_metal_instance_types: deletion", "no servers"],
  ["baremetal_instance_templates: `spec_defaults.image`", "no servers"],
  ["baremetal_instance_templates: deletion", "no servers"],
  ["baremetal_instance_catalog_items: `field_definitions[].path`", "by the rules for clusters"],
  ["baremetal_instance_catalog_items: `field_definitions[].default`", "by the rules for clusters"],
  [
    "baremetal_instance_catalog_items: `field_definitions[].validation_schema`",
    "by the rules for clusters",
  ],
  ["network_classes: `id`", "read in OSAC's code"],
  ["network_classes: `spec.defaults`", "read in OSAC's protos"],
  ["network_classes: `status.state`", "no controller ran"],
  ["network_classes: deletion", "read in OSAC's code"],
  ["external_ip_pools: `spec.cidrs`", "read in OSAC's protos"],
  ["external_ip_pools: `spec.implementation_strategy`", "read in OSAC's protos"],
  ["external_ip_pools: `status.state`", "no controller ran"],
  ["external_ips: `status.state`", "no controller ran"],
  ["roles: `id`", "read in OSAC's code"],
  ["roles: deletion", "read in OSAC's code"],
  ["role_bindings: `metadata.name`", "read in OSAC's code"],
  ["role_bindings: `status.state`", "no controller ran"],
  ["Not served: `console_sessions`", "they need a machine"],
]);

describe("the page and what is recorded", () => {
  it("has a row for every case, which says same where the answers are alike", () => {
    const unknown = recorded.filter(({ row }) => !rows.has(row)).map(({ row }) => row);
    expect([...new Set(unknown)]).toEqual([]);
    const hidden = recorded.filter(({ row, ours }) => ours && rows.get(row) === "same");
    expect(hidden.map(titleOf)).toEqual([]);
  });

  it("has a case that differs for every row that says so", () => {
    const differing = new Set<string>(recorded.filter(({ ours }) => ours).map(({ row }) => row));
    const missing = [...rows].flatMap(([row, mark]) => {
      const says = mark === "other" || mark === "not there";
      const isServed = !unserved.has(row.split(":")[0] ?? "");
      return says && isServed && !differing.has(row) && !unrecorded.has(row) ? [row] : [];
    });
    expect(missing).toEqual([]);
    expect([...unrecorded.keys()].filter((row) => !rows.has(row) || differing.has(row))).toEqual(
      [],
    );
  });
});
