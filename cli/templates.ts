import { isKind } from "../core/error.ts";
import { pathOf } from "../core/kernel/input/field.ts";
import { type FolderProblem, readTemplate, type Template } from "../templates/folder.ts";
import { type Published, publishTemplate } from "../templates/publish.ts";
import type { Around } from "./around.ts";
import { type CliCall, provider } from "./call.ts";
import { type Exit, exits } from "./exit.ts";

/** `slipway template validate DIR…` and `slipway template publish DIR…`. */

/** Milliseconds after which a request counts as lost. */
const patience = 30_000;

export async function validateTemplates({ around, words }: CliCall): Promise<Exit> {
  const read = templatesIn(around, words);
  if (!read) return exits.refused;
  for (const { id } of read) around.out.write(`${id}: fine\n`);
  return exits.done;
}

/** Publishes each template. Sends nothing when one of them is wrong. */
export async function publishTemplates(call: CliCall): Promise<Exit> {
  const { around, words } = call;
  const read = templatesIn(around, words);
  if (!read) return exits.refused;
  const { url, token, fetch } = provider(call);
  const ask = (path: string, init: RequestInit) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { ...headersOf(init), authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patience),
    });
  for (const template of read) {
    try {
      around.out.write(`${told(await publishTemplate(ask, template))}\n`);
    } catch (error) {
      if (isKind(error, "Invalid")) {
        const found = error.violations.map(({ field, message }) =>
          template.problem(pathOf(field), message),
        );
        say(around, found);
        return exits.refused;
      }
      around.err.write(`${template.id}: ${error instanceof Error ? error.message : error}\n`);
      return isKind(error, "Unavailable") ? exits.unreachable : exits.refused;
    }
  }
  return exits.done;
}

const headersOf = ({ headers }: RequestInit) => Object.fromEntries(new Headers(headers));

/** The templates of all folders; undefined when one is wrong, which is reported. */
function templatesIn(around: Around, folders: string[]): Template[] | undefined {
  const read = folders.map((folder) => readTemplate(folder));
  const problems = read.flatMap((each) => each.problems);
  say(around, problems);
  return problems.length > 0 ? undefined : read.flatMap(({ template }) => template ?? []);
}

function told({ id, before, after }: Published): string {
  if (before === undefined) return `${id}: new at revision ${after}`;
  return before === after
    ? `${id}: unchanged at revision ${after}`
    : `${id}: revision ${before} → ${after}`;
}

function say({ err }: Around, problems: readonly FolderProblem[]): void {
  for (const { file, line, column, field, message } of problems)
    err.write(`${file}:${line}:${column}: ${field === "" ? "" : `${field}: `}${message}\n`);
}
