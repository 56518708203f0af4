import { wrongCall } from "../exit.ts";
import type { Column } from "./columns.ts";
import type { Form } from "./print.ts";
import { at, shown } from "./values.ts";

/** `--fields metadata.name,status.hub`: a table of the named members. */

const path = /^\w+(\.[\w-]+)*$/;

/**
 * The columns of these members; undefined where none are named. Throws for an invalid path, and for a form without
 * columns.
 */
export function columnsNamed(fields: string | undefined, form: Form): Column[] | undefined {
  if (fields === undefined) return undefined;
  if (form !== "table" && form !== "wide")
    throw wrongCall(`--fields needs a table; -o ${form} has no columns`);
  return fields.split(",").map((field) => {
    if (!path.test(field))
      throw wrongCall(
        `--fields: unknown member '${field}'`,
        "members are such as: metadata.name,status.state",
      );
    // A requested column is shown even if it is empty.
    return { head: field.toUpperCase(), cell: (object) => shown(at(object, field)) || "-" };
  });
}
