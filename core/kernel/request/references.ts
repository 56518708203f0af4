import type { Violation } from "../../error.ts";
import type { ReferenceInput } from "../input/reference.ts";
import { type Kind, typeNameOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Records } from "../object/records.ts";
import { resolve, unnamed } from "./resolve.ts";

/** Looks up the objects that a tenant's request refers to, and collects all violations. */
export class References {
  readonly records: Records;
  readonly tenant: string;
  readonly #violations: Violation[];

  constructor(records: Records, tenant: string, violations: Violation[]) {
    this.records = records;
    this.tenant = tenant;
    this.#violations = violations;
  }

  /**
   * The object; undefined, with a violation, when there is none or it is being deleted. `begun`: a search that has
   * begun already.
   */
  async resolve<K extends Kind>(
    field: string,
    kind: K,
    reference: ReferenceInput,
    begun?: Promise<ObjectOf[K] | undefined>,
  ): Promise<ObjectOf[K] | undefined> {
    const { id, name } =
      typeof reference === "string" ? { id: reference, name: undefined } : reference;
    const label = typeNameOf(kind);
    if (!id && !name) return this.refuse(field, unnamed(label));
    const object = await (begun ?? this.find(kind, reference));
    if (!object) return this.refuse(field, `${label} "${name || id}" not found`);
    if (object.metadata.deletion_timestamp)
      return this.refuse(field, `${label} "${name || id}" is being deleted`);
    return object;
  }

  /** `resolve` for an object that need not exist. */
  find<K extends Kind>(kind: K, reference: ReferenceInput): Promise<ObjectOf[K] | undefined> {
    return resolve(this.records, kind, this.tenant, reference);
  }

  refuse(field: string, message: string): undefined {
    this.#violations.push({ field, message });
  }

  /** Adds a violation for a missing value, unless the schema has already refused the value. */
  refuseOnce(field: string, message: string): undefined {
    const known = this.#violations.some(
      (each) => each.field === field || each.field.startsWith(`${field}.`),
    );
    if (!known) this.refuse(field, message);
  }
}
