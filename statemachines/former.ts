import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Earlier definitions of state machines. Executions may still use them, so a test runs each with today's steps
 * and checks them against the list of steps. `generate.ts` keeps a definition when it changes, because every
 * committed one may have been deployed.
 */

export interface Former {
  machine: string;
  /** `<machine>@<hash>`, as its file is named. */
  name: string;
  /** The definition: JSON on one line. */
  text: string;
}

const folder = new URL("generated/former/", import.meta.url);
const repository = new URL("..", import.meta.url);
const generated = "statemachines/generated";
const committed = /\tstatemachines\/generated\/([\w-]+)\.asl\.json$/;

/** How far back the git history is read. Step Functions ends an execution after a year. */
const since = "400 days ago";

/** The former definitions that are kept. */
export function readFormer(): Former[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => {
      const name = file.slice(0, -".json".length);
      const machine = name.slice(0, name.lastIndexOf("@"));
      return { machine, name, text: readFileSync(new URL(file, folder), "utf8").trimEnd() };
    });
}

/**
 * Committed definitions that are neither current nor kept yet. Only commits since the first kept definition
 * count.
 */
export function notKept(today: ReadonlyMap<string, string>): Former[] {
  const known = new Set([
    ...readFormer().map(({ name }) => name),
    ...[...today].map(([machine, text]) => formerOf(machine, text).name),
  ]);
  const found = new Map(
    committedDefinitions().map(({ machine, text }) => {
      const former = formerOf(machine, text);
      return [former.name, former];
    }),
  );
  return [...found.values()].filter(({ name }) => !known.has(name));
}

export function keep({ name, text }: Former): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.json`, folder), `${text}\n`);
}

/** Names a definition by the hash of its JSON, so that formatting does not change the name. */
function formerOf(machine: string, definition: string): Former {
  const text = JSON.stringify(JSON.parse(definition));
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return { machine, name: `${machine}@${hash}`, text };
}

/**
 * The definitions of the current commit, and those before and after each change since the first commit that
 * kept one; none without a git history.
 */
function committedDefinitions(): { machine: string; text: string }[] {
  try {
    const lines = [...git(["ls-tree", "-r", "HEAD", generated]), ...changesSinceKept()];
    const found = lines.flatMap((line) => {
      const [, machine] = committed.exec(line) ?? [];
      const blobs = line.match(/\b[0-9a-f]{40,64}\b/g) ?? [];
      return machine ? blobs.map((blob) => `${blob} ${machine}`) : [];
    });
    return [...new Set(found)].flatMap((line) => {
      const [blob = "", machine = ""] = line.split(" ");
      return /^0+$/.test(blob)
        ? []
        : [{ machine, text: git(["cat-file", "blob", blob]).join("\n") }];
    });
  } catch {
    return [];
  }
}

/** The changes of definitions since the first commit that kept one, each with the blobs before and after. */
function changesSinceKept(): string[] {
  const first = git(["log", "--diff-filter=A", "--format=%H", "--", `${generated}/former`]).at(-2);
  if (first === undefined) return [];
  const raw = ["--no-renames", "--raw", "--no-abbrev", "--format=", `--since=${since}`];
  return git(["log", ...raw, `${first}~1..HEAD`, "--", generated]);
}

const git = (given: string[]): string[] =>
  execFileSync("git", given, {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 28,
  }).split("\n");
