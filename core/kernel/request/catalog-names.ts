import type { Violation } from "../../error.ts";
import type { ReferenceInput } from "../input/reference.ts";
import { typeNameOf } from "../object/object.ts";
import type { Records } from "../object/records.ts";
import { resolve } from "./resolve.ts";

/** Templates store the names of the objects that they refer to; a missing object is a violation. */
export class CatalogNames {
  readonly #records: Records;
  readonly #tenant: string;
  readonly #violations: Violation[];

  constructor(records: Records, tenant: string, violations: Violation[]) {
    this.#records = records;
    this.#tenant = tenant;
    this.#violations = violations;
  }

  async of(
    kind: "host_type" | "cluster_version",
    field: string,
    reference: ReferenceInput,
  ): Promise<string> {
    const object = await resolve(this.#records, kind, this.#tenant, reference);
    if (object) return object.metadata.name;
    const { id, name } = typeof reference === "string" ? { id: reference, name: "" } : reference;
    this.#violations.push({
      field,
      message: `${typeNameOf(kind)} "${name || id || ""}" not found`,
    });
    return "";
  }

  async ofAll(kind: "host_type", field: string, references: ReferenceInput[]): Promise<string[]> {
    const names: string[] = [];
    for (const [n, reference] of references.entries())
      names.push(await this.of(kind, `${field}[${n}]`, reference));
    return names;
  }
}
