import { type Document, isMap, isSeq, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { hostSpecInputSchema } from "../catalog/host.ts";
import { AppError, type Violation } from "../error.ts";
import { violationsOf } from "../input/parse.ts";
import { nameSchema } from "../model/metadata.ts";

/** An inventory file: a list of hosts, each a name and the spec that the private API takes. */

const hostSchema = z.strictObject({ name: nameSchema, ...hostSpecInputSchema.shape });
const fileSchema = z.strictObject({ hosts: z.array(hostSchema).max(10_000) });
export type HostEntry = z.output<typeof hostSchema>;

/** Throws Invalid with every violation; `field` says where in the file, `message` begins with the line. */
export function parseInventory(text: string): HostEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const malformed = document.errors.map((error): Violation => {
    const [first = ""] = error.message.split("\n");
    return {
      field: "",
      message: `line ${lines.linePos(error.pos[0]).line}: ${first.replace(/ at line .*$/, "")}`,
    };
  });
  if (malformed.length > 0) throw invalid(malformed);

  const result = fileSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!result.success) {
    const paths = result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [...issue.path, key])
        : [issue.path],
    );
    throw invalid(
      violationsOf(result.error).map(({ field, message }, n) => ({
        field,
        message: `line ${lineOf(document, paths[n] ?? [], lines)}: ${message}`,
      })),
    );
  }
  const { hosts } = result.data;
  const twice = hosts.flatMap(({ name }, n): Violation[] => {
    const first = hosts.findIndex((host) => host.name === name);
    if (first === n) return [];
    const line = lineOf(document, ["hosts", n, "name"], lines);
    return [{ field: `hosts[${n}].name`, message: `line ${line}: '${name}' is there twice` }];
  });
  if (twice.length > 0) throw invalid(twice);
  return hosts;
}

/** The line of what stands at a path, or of the nearest thing around it that is there. */
function lineOf(document: Document, path: PropertyKey[], lines: LineCounter): number {
  let node: unknown = document.contents;
  let at = rangeStart(node) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(step));
      at = rangeStart(pair?.key) ?? at;
      node = pair?.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      at = rangeStart(node) ?? at;
    } else {
      break;
    }
  }
  return lines.linePos(at).line;
}

function rangeStart(node: unknown): number | undefined {
  const range =
    typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

function invalid(violations: Violation[]): AppError {
  const message = violations.map((each) => `${each.field} ${each.message}`.trim()).join("; ");
  return new AppError("Invalid", `the inventory cannot be read: ${message}`, { violations });
}
