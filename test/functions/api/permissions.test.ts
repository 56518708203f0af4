import { expect, it } from "vitest";
import { kindActionsOf } from "../../../core/kernel/request/api-of.ts";
import type { Area } from "../../../core/kernel/request/permissions.ts";
import {
  isOfProvider,
  isStaff,
  projectRoles,
  type Role,
  tokenRoles,
} from "../../../core/kernel/request/roles.ts";
import { grantableRoles } from "../../../core/resources/role/kind.ts";
import { portalRoles } from "../../../core/resources/tenant/model.ts";
import openApi from "../../../functions/api/generated/openapi.json" with { type: "json" };
import { permissions, type Subject } from "../../../functions/api/permissions.ts";
import { isRegisteredKind, kindNames } from "../../../functions/api/registry.ts";
import { apiOf } from "../../../functions/api/schemas.ts";

/**
 * Who may do what, written a second time and by hand: whoever changes a permission changes it here
 * too, and sees for which roles. An action that nothing is written of is for whoever may change the object.
 */

type Rights = Partial<Record<Subject, string>>;

const allowed: Record<Role, Partial<Record<Area, Rights>>> = {
  "provider-admin": {
    public: {
      cluster: "list get create update delete credentials issue revoke history upgrades retry",
      operation: "list get cancel resume",
      cluster_template: "list get create update delete",
      cluster_catalog_item: "list get create update delete",
      baremetal_instance_catalog_item: "list get create update delete",
      baremetal_instance_template: "list get create update delete",
      bare_metal_instance_type: "list get",
      cluster_version: "list get create update delete",
      host_type: "list get create update delete",
      network_class: "list get create update delete",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get create update delete",
      project_membership: "list get create update delete",
      quota: "list get",
      allocation: "list get",
      user: "list get create update delete",
      role: "list get create update delete",
      role_binding: "list get create update delete",
      identity_provider: "list get create update delete",
      secret: "list get create update delete",
      webhook: "list get create update delete deliveries replay test rotate",
      event: "watch",
    },
    private: {
      cluster: "list get create update delete history upgrades retry",
      operation: "list get cancel resume",
      cluster_template: "list get create update delete",
      cluster_catalog_item: "list get create update delete",
      baremetal_instance_catalog_item: "list get create update delete",
      baremetal_instance_template: "list get create update delete",
      bare_metal_instance_type: "list get create update delete",
      cluster_version: "list get create update delete",
      host_type: "list get create update delete",
      network_class: "list get create update delete",
      external_ip_pool: "list get create update delete",
      hub: "list get create update delete plan",
      host: "list get create update delete retry release retire maintain health override validate reprovision update_firmware accept_identity history",
      dpu: "list get create update delete retry accept_identity history",
      site: "list get create update delete numbers",
      tenant: "list get create update delete",
      project: "list get create update delete",
      project_membership: "list get create update delete",
      quota: "list get create update delete",
      allocation: "list get create update delete",
      user: "list get create update delete",
      role: "list get create update delete",
      role_binding: "list get create update delete",
      identity_provider: "list get create update delete",
      secret: "list get create update delete",
      webhook: "list get create update delete",
      event: "watch",
      removal: "get pause resume",
      intake: "get pause resume",
      audit_entry: "list",
      capacity: "get",
      status: "get",
      owner: "list",
      invalid_object: "list",
    },
  },
  "provider-viewer": {
    public: {
      cluster: "list get history upgrades",
      operation: "list get",
      cluster_template: "list get",
      cluster_catalog_item: "list get",
      baremetal_instance_catalog_item: "list get",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get",
      project_membership: "list get",
      quota: "list get",
      allocation: "list get",
      role: "list get",
      role_binding: "list get",
      secret: "list get",
      event: "watch",
    },
    private: {
      cluster: "list get history upgrades",
      operation: "list get",
      cluster_template: "list get",
      cluster_catalog_item: "list get",
      baremetal_instance_catalog_item: "list get",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      hub: "list get plan",
      host: "list get history",
      dpu: "list get history",
      site: "list get numbers",
      tenant: "list get",
      project: "list get",
      project_membership: "list get",
      quota: "list get",
      allocation: "list get",
      user: "list get",
      role: "list get",
      role_binding: "list get",
      identity_provider: "list get",
      secret: "list get",
      webhook: "list get",
      event: "watch",
      removal: "get",
      intake: "get",
      capacity: "get",
      status: "get",
      owner: "list",
    },
  },
  "tenant-admin": {
    public: {
      cluster: "list get create update delete credentials issue revoke history upgrades retry",
      operation: "list get cancel resume",
      cluster_template: "list get",
      cluster_catalog_item: "list get create update delete",
      baremetal_instance_catalog_item: "list get create update delete",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get create update delete",
      project_membership: "list get create update delete",
      quota: "list get",
      allocation: "list get",
      user: "list get create update delete",
      role: "list get",
      role_binding: "list get create update delete",
      identity_provider: "list get create update delete",
      secret: "list get create update delete",
      webhook: "list get create update delete deliveries replay test rotate",
      event: "watch",
    },
  },
  "tenant-user": {
    public: {
      cluster: "list get create update delete credentials issue revoke history upgrades retry",
      operation: "list get cancel resume",
      cluster_template: "list get",
      cluster_catalog_item: "list get",
      baremetal_instance_catalog_item: "list get",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get",
      project_membership: "list get",
      quota: "list get",
      allocation: "list get",
      role: "list get",
      role_binding: "list get",
      secret: "list get create update delete",
      event: "watch",
    },
  },
  "project-manager": {
    public: {
      cluster: "list get create update delete credentials issue revoke history upgrades retry",
      operation: "list get cancel resume",
      cluster_template: "list get",
      cluster_catalog_item: "list get",
      baremetal_instance_catalog_item: "list get",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get update",
      project_membership: "list get create update delete",
      quota: "list get",
      allocation: "list get",
      role: "list get",
      role_binding: "list get",
      secret: "list get create update delete",
      event: "watch",
    },
  },
  "project-viewer": {
    public: {
      cluster: "list get history upgrades",
      operation: "list get",
      cluster_template: "list get",
      cluster_catalog_item: "list get",
      baremetal_instance_catalog_item: "list get",
      baremetal_instance_template: "list get",
      bare_metal_instance_type: "list get",
      cluster_version: "list get",
      host_type: "list get",
      network_class: "list get",
      external_ip_pool: "list get",
      tenant: "list get",
      project: "list get",
      project_membership: "list get",
      quota: "list get",
      allocation: "list get",
      role: "list get",
      role_binding: "list get",
      secret: "list get",
      event: "watch",
    },
  },
  // The route lets an agent report for its own hub only.
  agent: { private: { hub: "report" } },
  // A portal has the rights of the role that a tenant gives it.
  portal: {},
};

/** The rights at a kind that is not written above: at what tenants and projects make for themselves. */
const usual: Record<Role, Partial<Record<Area, string>>> = {
  "provider-admin": {
    public: "list get create update delete",
    private: "list get create update delete",
  },
  "provider-viewer": { public: "list get", private: "list get" },
  "tenant-admin": { public: "list get create update delete" },
  "tenant-user": { public: "list get create update delete" },
  "project-manager": { public: "list get create update delete" },
  "project-viewer": { public: "list get" },
  agent: {},
  portal: {},
};

/** The kinds that have a history, and of which what has failed is ordered again by whoever orders. */
const ordered: readonly string[] = [
  "virtual_network",
  "subnet",
  "security_group",
  "nat_gateway",
  "external_ip_attachment",
  "baremetal_instance",
];

const written = new Set(Object.values(allowed["provider-admin"]).flatMap(Object.keys));
const unwritten = new Set(Object.values(permissions).flatMap(Object.keys)).difference(written);
const rightsAt = (subject: string, role: Role): string[] =>
  Object.entries(usual[role]).flatMap(([area, verbs]) =>
    [
      ...verbs.split(" "),
      ...(verbs.includes("create") && ordered.includes(subject) ? ["retry"] : []),
      ...(verbs.includes("create") && subject === "baremetal_instance"
        ? ["batch", "reinstall", "consent", "release"]
        : []),
      ...(ordered.includes(subject) ? ["history"] : []),
      ...(area === "private" && verbs.includes("create") && subject === "baremetal_instance"
        ? ["force"]
        : []),
    ].map((verb) => `${area} ${subject} ${verb}`),
  );

/** The verbs of actions of which nothing is written here. */
const unwrittenActions = (subject: string): string[] =>
  isRegisteredKind(subject)
    ? Object.keys(kindActionsOf(apiOf(subject))).filter((verb) => !isWritten(subject, verb))
    : [];

const isWritten = (subject: Subject, verb: string): boolean =>
  unwritten.has(subject)
    ? rightsAt(subject, "provider-admin").some((right) => right.endsWith(` ${subject} ${verb}`))
    : Object.values(allowed["provider-admin"]).some((rights) =>
        rights[subject]?.split(" ").includes(verb),
      );

/** The rights of a role, with those at actions of which nothing is written here. */
const withActions = (rights: readonly string[]): string[] =>
  rights.flatMap((right) => {
    const [area, subject = "", verb] = right.split(" ");
    const more = verb === "update" ? unwrittenActions(subject) : [];
    return [right, ...more.map((action) => `${area} ${subject} ${action}`)];
  });

/** Each right as a line, such as `public cluster list`. */
const linesOf = (areas: Partial<Record<Area, Rights>>): string[] =>
  Object.entries(areas)
    .flatMap(([area, rights]) =>
      Object.entries(rights).flatMap(([subject, verbs]) =>
        verbs.split(" ").map((verb) => `${area} ${subject} ${verb}`),
      ),
    )
    .toSorted();

it.each(Object.keys(allowed) as Role[])(
  "a %s may do what is written here, and nothing else",
  (role) => {
    const found = Object.entries(permissions).flatMap(([area, subjects]) =>
      Object.entries(subjects).flatMap(([subject, verbs]) =>
        Object.entries(verbs).flatMap(([verb, roles]) =>
          roles.includes(role) ? [`${area} ${subject} ${verb}`] : [],
        ),
      ),
    );
    const usually = [...unwritten].flatMap((subject) => rightsAt(subject, role));
    const expected = withActions([...linesOf(allowed[role]), ...usually]);
    expect(found.toSorted()).toEqual(expected.toSorted());
  },
);

it("every action of a kind is somebody's, in an area where the kind is", () => {
  const idle = kindNames.flatMap((kind) =>
    Object.keys(kindActionsOf(apiOf(kind))).filter(
      (verb) => !permissions.public[kind]?.[verb] && !permissions.private[kind]?.[verb],
    ),
  );
  expect(idle).toEqual([]);
});

it("every right is a right to ask for something", () => {
  const asked = new Set<string>(
    Object.values(openApi.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId.split(".").slice(0, 3).join(" ")),
    ),
  );
  const rights = Object.entries(permissions).flatMap(([area, subjects]) =>
    Object.entries(subjects).flatMap(([subject, verbs]) =>
      Object.keys(verbs).map((verb) => `${area} ${subject} ${verb}`),
    ),
  );
  expect(rights.filter((right) => !asked.has(right))).toEqual([]);
});

it("a role comes from where it may come from, and reaches as far as it may reach", () => {
  const roles = Object.keys(allowed) as Role[];
  expect({
    tokens: tokenRoles,
    projects: projectRoles,
    bindings: grantableRoles,
    portalRoles,
  }).toEqual({
    tokens: ["provider-admin", "provider-viewer", "tenant-admin", "tenant-user", "agent", "portal"],
    projects: ["project-manager", "project-viewer"],
    bindings: [
      "provider-viewer",
      "tenant-admin",
      "tenant-user",
      "project-manager",
      "project-viewer",
    ],
    portalRoles: ["tenant-admin", "tenant-user"],
  });
  // These see every tenant; those below are the provider's to give.
  expect(roles.filter(isStaff)).toEqual(["provider-admin", "provider-viewer"]);
  expect(roles.filter(isOfProvider)).toEqual([
    "provider-admin",
    "provider-viewer",
    "agent",
    "portal",
  ]);
});

/** The right that a route asks for, where its method and path are not those of the five verbs, nor end with an action. */
const otherRoutes: Record<string, string> = {
  "GET /api/fulfillment/v1/clusters/{id}/kubeconfig": "public cluster credentials",
  "GET /api/fulfillment/v1/clusters/{id}/password": "public cluster credentials",
  "GET /api/fulfillment/v1/clusters/{id}/credentials": "public cluster credentials",
  "POST /api/fulfillment/v1/clusters/{id}/credentials": "public cluster issue",
  "POST /api/fulfillment/v1/clusters/{id}/credentials/revoke": "public cluster revoke",
  "GET /api/fulfillment/v1/clusters/{id}/history": "public cluster history",
  "GET /api/fulfillment/v1/clusters/{id}/upgrades": "public cluster upgrades",
  ...routesOfOrdered("/api/fulfillment/v1", "public"),
  "POST /api/fulfillment/v1/baremetal_instances/batch": "public baremetal_instance batch",
  "POST /api/private/v1/baremetal_instances/batch": "private baremetal_instance batch",
  "POST /api/fulfillment/v1/baremetal_instances/{id}/maintenance":
    "public baremetal_instance consent",
  "POST /api/private/v1/baremetal_instances/{id}/maintenance": "private baremetal_instance consent",
  "POST /api/private/v1/hosts/{id}/health/override": "private host override",
  "GET /api/fulfillment/v1/webhooks/{id}/deliveries": "public webhook deliveries",
  "POST /api/fulfillment/v1/webhooks/{id}/rotate_secret": "public webhook rotate",
  "GET /api/events/v1/events": "public event watch",
  "GET /api/private/v1/clusters/{id}/history": "private cluster history",
  "GET /api/private/v1/hosts/{id}/history": "private host history",
  "GET /api/private/v1/dpus/{id}/history": "private dpu history",
  "GET /api/private/v1/clusters/{id}/upgrades": "private cluster upgrades",
  ...routesOfOrdered("/api/private/v1", "private"),
  "GET /api/private/v1/hubs/{id}/drain_plan": "private hub plan",
  "GET /api/private/v1/sites/{id}/numbers": "private site numbers",
  "POST /api/private/v1/hubs/{id}/reports": "private hub report",
  "GET /api/private/v1/events/watch": "private event watch",
  "GET /api/private/v1/removal": "private removal get",
  "POST /api/private/v1/removal:pause": "private removal pause",
  "POST /api/private/v1/removal:resume": "private removal resume",
  "GET /api/private/v1/intake": "private intake get",
  "POST /api/private/v1/intake:pause": "private intake pause",
  "POST /api/private/v1/intake:resume": "private intake resume",
  "GET /api/private/v1/capacity": "private capacity get",
  "GET /api/private/v1/status": "private status get",
  // Everybody, with or without a token.
  "GET /healthz": "nothing",
  "GET /api/fulfillment/v1/capabilities": "nothing",
};

function routesOfOrdered(prefix: string, area: Area): Record<string, string> {
  const routes = ordered.flatMap((kind) => [
    [`GET ${prefix}/${kind}s/{id}/history`, `${area} ${kind} history`],
  ]);
  return Object.fromEntries(routes);
}

const areas: Record<string, Area> = {
  "/api/fulfillment/v1/": "public",
  "/api/private/v1/": "private",
};
const verbs: Record<string, string> = {
  "GET ": "list",
  "POST ": "create",
  "GET /{id}": "get",
  "PATCH /{id}": "update",
  "DELETE /{id}": "delete",
};

/** The right that a route of one of the five verbs asks for, or of an action. */
function rightOf(method: string, path: string): string {
  const [, prefix = "", plural = "", rest = ""] = /^(\/api\/\w+\/v1\/)(\w+)(.*)$/.exec(path) ?? [];
  const subject = plural === "audit_entries" ? "audit_entry" : plural.replace(/(?<=s)es$|s$/, "");
  // An action is called as its path ends.
  const [, action] = /^POST \/\{id\}\/(\w+)$/.exec(`${method} ${rest}`) ?? [];
  if (action !== undefined) return `${areas[prefix]} ${subject} ${action}`;
  return `${areas[prefix]} ${subject} ${verbs[`${method} ${rest}`]}`;
}

it("each route asks for the right that its method and path say", () => {
  const routes = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      const [area, subject, verb] = operation.operationId.split(".");
      const asked = "security" in operation ? "nothing" : `${area} ${subject} ${verb}`;
      return { route: `${method} ${path}`, asked, byPath: rightOf(method, path) };
    }),
  );
  for (const { route, asked, byPath } of routes)
    expect(asked, route).toBe(otherRoutes[route] ?? byPath);
  const met = new Set(routes.map(({ route }) => route));
  expect(Object.keys(otherRoutes).filter((route) => !met.has(route))).toEqual([]);
});
