import type { Around } from "../around.ts";
import { wrongCall } from "../exit.ts";
import { type Column, columnNameOf } from "./columns.ts";
import { outputTable } from "./table.ts";
import { isUnsafe, jsonOf, visible } from "./unsafe.ts";
import { at, list, text } from "./values.ts";

export const forms = ["table", "wide", "json", "yaml", "name"] as const;
export type Form = (typeof forms)[number];

/** What a command prints, and in which form. */
export interface Printed {
  form: Form;
  columns: Column[];
}

/** The output form of this name. Throws for an unknown one. */
export function formIn(asked: string | undefined): Form {
  const form = forms.find((each) => each === (asked ?? "table"));
  if (!form) throw wrongCall(`unknown output format '${asked}'`, `use one of: ${forms.join(", ")}`);
  return form;
}

/** Prints an answer as it is, or its objects as a table or as names. */
export async function print({ out }: Around, answer: unknown, { form, columns }: Printed) {
  out.write(await renderedOutput(answer, { form, columns }, out));
}

/** Says that a page has no objects, where the output would be empty. */
export function tellNone({ err }: Pick<Around, "err">, answer: unknown, form: Form): void {
  if (at(answer, "size") === 0 && (form === "table" || form === "wide"))
    err.write("there are none\n");
}

export async function renderedOutput(
  answer: unknown,
  { form, columns }: Printed,
  screen: Around["out"],
): Promise<string> {
  const items = at(answer, "items");
  const objects = Array.isArray(items) ? list(items) : [answer];
  switch (form) {
    case "json":
      return `${jsonOf(answer, 2)}\n`;
    case "yaml":
      return yamlOf(answer);
    case "name":
      return objects
        .map((object) => `${columnNameOf(object) || text(at(object, "id"))}\n`)
        .join("");
    case "table":
    case "wide":
      if (objects.length === 0) return "";
      // Answers without an object, such as the capacity, have no such column.
      return objects.some((each) => columns.some(({ cell }) => cell(each) !== ""))
        ? outputTable(objects, columns, screen)
        : yamlOf(answer);
  }
}

/** Text that is unsafe for a terminal is put in double quotes, where YAML has the same escapes as JSON. */
const yamlOf = async (answer: unknown): Promise<string> =>
  visible((await import("../../core/kernel/input/yaml.ts")).yamlWriter(isUnsafe)(answer));
