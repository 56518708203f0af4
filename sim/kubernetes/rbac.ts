import type * as z from "zod";
import type { Attributes, User } from "./authorization.ts";
import type { roleBindingSchema, roleSchema } from "./built-in-schemas.ts";
import type { KubeCluster } from "./cluster.ts";
import type { KubeObject } from "./object.ts";

/** Members of this group may do everything, whatever the roles allow. */
export const masters = "system:masters";

type Role = z.infer<typeof roleSchema>;
type Rule = NonNullable<Role["rules"]>[number];
type Binding = z.infer<typeof roleBindingSchema>;
type Subject = NonNullable<Binding["subjects"]>[number];

/** The user of a service account in its own cluster. */
export function serviceAccount(namespace: string, name: string): User {
  const all = "system:serviceaccounts";
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [all, `${all}:${namespace}`, "system:authenticated"],
  };
}

/** The RBAC authorizer, by the current roles and bindings of the cluster. */
export function rbac(cluster: KubeCluster): (attributes: Attributes) => boolean {
  const rulesOf = ({ roleRef: { kind, name } }: Binding, namespace?: string): Rule[] => {
    const role = cluster.get(kind, kind === "Role" ? namespace : undefined, name);
    return (role && read<Role>(role).rules) ?? [];
  };
  return (attributes) => {
    const { namespace, groups } = attributes;
    if (groups.includes(masters)) return true;
    const allows = (objects: KubeObject[], within?: string) =>
      objects
        .map((object) => read<Binding>(object))
        .filter(({ subjects = [] }) => subjects.some((each) => isMeant(each, attributes)))
        .some((binding) => rulesOf(binding, within).some((rule) => covers(rule, attributes)));
    if (allows(cluster.list("ClusterRoleBinding"))) return true;
    return namespace !== undefined && allows(cluster.list("RoleBinding", { namespace }), namespace);
  };
}

/** Safe: the schema of its kind has validated a stored object. */
function read<T>(object: KubeObject): T {
  return object as unknown as T;
}

function isMeant({ kind, name, namespace = "" }: Subject, { user, groups }: Attributes): boolean {
  if (kind === "Group") return groups.includes(name);
  return user === (kind === "User" ? name : serviceAccount(namespace, name).name);
}

function covers(rule: Rule, { verb, group, resource, name }: Attributes): boolean {
  const has = (list: string[] | undefined, value: string) =>
    list !== undefined && (list.includes(value) || list.includes("*"));
  const { resourceNames = [] } = rule;
  return (
    has(rule.verbs, verb) &&
    has(rule.apiGroups, group) &&
    has(rule.resources, resource) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)))
  );
}
