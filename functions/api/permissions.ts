import type { Kind } from "../../core/kernel/object/object.ts";
import type { SwitchName } from "../../core/kernel/request/maintenance-switch.ts";
import {
  type Allowed,
  type Area,
  admins,
  readers,
  staff,
  type Verb,
} from "../../core/kernel/request/permissions.ts";
import type { Role } from "../../core/kernel/request/roles.ts";
import { permissions as ofKinds } from "../../core/resources/generated/permissions.ts";
import { kindNames } from "./registry.ts";

/**
 * Who may do what, by area, kind and verb. A request without a row is forbidden. The rows of a kind are in the
 * kind's folder; docs/identity.md shows the whole table.
 */

export type Subject =
  | Kind
  | "event"
  | SwitchName
  | "audit_entry"
  | "capacity"
  | "status"
  | "owner"
  | "invalid_object";
type Table = Readonly<Record<Area, Readonly<Partial<Record<Subject, Allowed>>>>>;

/** The permissions of subjects that are not kinds. */
const others = {
  public: { event: { watch: readers } },
  private: {
    event: { watch: staff },
    removal: { get: staff, pause: admins, resume: admins },
    intake: { get: staff, pause: admins, resume: admins },
    audit_entry: { list: admins },
    capacity: { get: staff },
    status: { get: staff },
    owner: { list: staff },
    invalid_object: { list: admins },
  },
} satisfies Table;

const rowsIn = (area: Area): Partial<Record<Kind, Allowed>> =>
  Object.fromEntries(
    kindNames.flatMap((kind) => {
      const allowed = ofKinds[kind]?.[area];
      return allowed ? [[kind, allowed]] : [];
    }),
  );

export const permissions: Table = {
  public: { ...rowsIn("public"), ...others.public },
  private: { ...rowsIn("private"), ...others.private },
};

/** The roles that allow a verb. A role in a project applies only to objects in that project. */
export const rolesFor = (area: Area, subject: Subject, verb: Verb): readonly Role[] =>
  permissions[area][subject]?.[verb] ?? [];
