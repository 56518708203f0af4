import { parseArgs } from "node:util";
import { type Endpoint, type Environment, endpointOf, endpointUsage } from "../cli/endpoint.ts";
import { isKind } from "../core/error.ts";
import { pathOf } from "../core/kernel/input/field.ts";
import { type Problem, readTemplate, type Template } from "./folder.ts";
import { type Ask, type Published, publish } from "./publish.ts";

/** `npm run templates`: judges template folders and publishes them. */

const usage = `Usage:
  npm run templates -- validate DIR...
  npm run templates -- publish DIR... [--url URL] [--token TOKEN]

Each DIR is one template: template.yaml and manifests/*.yaml (templates/README.md).
${endpointUsage}

Exit codes: 0 done, 1 a template is wrong or was refused, 2 wrong usage, 3 Slipway did not answer.
`;

export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Surroundings {
  env: Environment;
  fetch: typeof fetch;
  out(text: string): void;
  err(text: string): void;
}

export async function run(args: string[], around: Surroundings): Promise<ExitCode> {
  const given = argumentsOf(args);
  if (!given) {
    around.err(usage);
    return exitCodes.usage;
  }
  const read = given.folders.map((folder) => readTemplate(folder));
  const problems = read.flatMap((each) => each.problems);
  if (problems.length > 0) return refuse(around, problems);
  const templates = read.flatMap(({ template }) => template ?? []);
  if (given.command === "validate") {
    for (const { id } of templates) around.out(`${id}: fine\n`);
    return exitCodes.done;
  }
  const endpoint = endpointOf(given, around.env);
  if (!endpoint) {
    around.err("Where to? Give --url and --token, or SLIPWAY_URL and SLIPWAY_TOKEN.\n");
    return exitCodes.usage;
  }
  return publishAll(templates, endpoint, around);
}

async function publishAll(
  templates: Template[],
  { url, token }: Endpoint,
  around: Surroundings,
): Promise<ExitCode> {
  const ask: Ask = (path, init) =>
    around.fetch(new URL(path, url), {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    });
  for (const template of templates) {
    try {
      around.out(`${told(await publish(ask, template))}\n`);
    } catch (error) {
      if (isKind(error, "Invalid")) {
        const found = error.violations.map(({ field, message }) =>
          template.problem(pathOf(field), message),
        );
        return refuse(around, found);
      }
      around.err(`${template.id}: ${error instanceof Error ? error.message : String(error)}\n`);
      return isKind(error, "Unavailable") ? exitCodes.unreachable : exitCodes.refused;
    }
  }
  return exitCodes.done;
}

function told({ id, before, after }: Published): string {
  if (before === undefined) return `${id}: new at revision ${after}`;
  return before === after
    ? `${id}: unchanged at revision ${after}`
    : `${id}: revision ${before} → ${after}`;
}

function refuse(around: Surroundings, problems: Problem[]): ExitCode {
  for (const { file, line, column, field, message } of problems) {
    around.err(`${file}:${line}:${column}: ${field === "" ? "" : `${field}: `}${message}\n`);
  }
  return exitCodes.refused;
}

interface Arguments {
  command: "validate" | "publish";
  folders: string[];
  url: string | undefined;
  token: string | undefined;
}

function argumentsOf(args: string[]): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { url: { type: "string" }, token: { type: "string" } },
    });
    const [command, ...folders] = positionals;
    if ((command !== "validate" && command !== "publish") || folders.length === 0) return undefined;
    return { command, folders, url: values.url, token: values.token };
  } catch {
    return undefined;
  }
}
