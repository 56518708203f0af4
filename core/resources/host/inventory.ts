import * as z from "zod";
import { AppError, type Violation } from "../../error.ts";
import { fieldOf } from "../../kernel/input/field.ts";
import { issuesOf } from "../../kernel/input/parse.ts";
import { parseYaml } from "../../kernel/input/yaml.ts";
import { nameSchema } from "../../kernel/object/metadata.ts";
import { hostSpecInputSchema } from "./api.ts";

/** An inventory file: a list of hosts, each with a name and a spec of the private API. */

const hostSchema = z.strictObject({ name: nameSchema, ...hostSpecInputSchema.shape });
const fileSchema = z.strictObject({ hosts: z.array(hostSchema).max(10_000) });
export type HostEntry = z.output<typeof hostSchema>;

/**
 * Parses an inventory file. Throws Invalid with every violation; `field` is the place in the file, and
 * `message` begins with the line number.
 */
export function parseInventory(text: string): HostEntry[] {
  const { documents, errors } = parseYaml(text);
  if (errors.length > 0)
    throw invalid(errors.map((error) => violation("", error.line, error.message)));
  const [document, more] = documents;
  if (more) throw invalid([violation("", more.at([]).line, "expected one document")]);
  const lineOf = (path: PropertyKey[]) => document?.at(path).line ?? 1;

  const result = fileSchema.safeParse(document?.value ?? {});
  if (!result.success) {
    throw invalid(
      issuesOf(result.error).map(({ path, message }) =>
        violation(fieldOf(path), lineOf(path), message),
      ),
    );
  }
  const { hosts } = result.data;
  const twice = hosts.flatMap(({ name }, n): Violation[] => {
    const first = hosts.findIndex((host) => host.name === name);
    const path = ["hosts", n, "name"];
    return first === n
      ? []
      : [violation(fieldOf(path), lineOf(path), `'${name}' appears more than once`)];
  });
  if (twice.length > 0) throw invalid(twice);
  return hosts;
}

const violation = (field: string, line: number, message: string): Violation => ({
  field,
  message: `line ${line}: ${message}`,
});

function invalid(violations: Violation[]): AppError {
  const message = violations.map((each) => `${each.field} ${each.message}`.trim()).join("; ");
  return new AppError("Invalid", `the inventory cannot be read: ${message}`, { violations });
}
