import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fieldOf } from "../core/kernel/input/field.ts";
import { issuesOf } from "../core/kernel/input/parse.ts";
import { idSchema } from "../core/kernel/input/reference.ts";
import { isObject } from "../core/kernel/input/shape.ts";
import { parseYaml, type YamlDocument } from "../core/kernel/input/yaml.ts";
import { templateIssues } from "../core/resources/cluster-template/content/check.ts";
import { misfits } from "../core/resources/cluster-template/content/fit.ts";
import type { ManifestSource, TemplateContent } from "../core/resources/cluster-template/model.ts";
import { contentOf, fileIssues, pathInFile, templateFileSchema } from "./template-file.ts";

/** A template as a folder: `template.yaml` and `manifests/*.yaml`. The folder's name is the template's id. */

export interface FolderProblem {
  file: string;
  line: number;
  column: number;
  /** The path in the file; empty for the whole file. */
  field: string;
  message: string;
}

export interface Template {
  id: string;
  name: string;
  content: TemplateContent;
  /** Converts a violation of the API to a problem in the file. */
  problem(path: PropertyKey[], message: string): FolderProblem;
}

/** The template folders in this folder. */
export function templateFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort();
}

/** Reads and validates a folder: answers the template, or all problems. */
export function readTemplate(folder: string): { template?: Template; problems: FolderProblem[] } {
  const reader = new Reader(folder);
  const template = reader.read();
  return template && reader.problems.length === 0
    ? { template, problems: [] }
    : { problems: reader.problems };
}

interface Place {
  file: string;
  document?: YamlDocument | undefined;
}

class Reader {
  readonly problems: FolderProblem[] = [];
  readonly #folder: string;
  readonly #id: string;
  readonly #main: Place;
  /** The place of each manifest. */
  readonly #places: Place[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#id = basename(resolve(folder));
    this.#main = { file: join(folder, "template.yaml") };
  }

  read(): Template | undefined {
    if (!isFolder(this.#folder)) {
      this.#refuse({ file: this.#folder }, [], "is not a folder");
      return undefined;
    }
    if (!idSchema.safeParse(this.#id).success)
      this.#refuse(this.#main, [], `'${this.#id}' cannot be an id: letters, digits, '-', '_', '.'`);
    this.#refuseStrangers(this.#folder, ["template.yaml", "manifests", "README.md"]);
    const manifests = this.#manifests();
    this.#main.document = this.#onlyDocument();
    if (!this.#main.document) return undefined;
    const result = templateFileSchema.safeParse(this.#main.document.value);
    if (!result.success) {
      for (const { path, message } of issuesOf(result.error))
        this.#refuse(this.#main, path, message);
      return undefined;
    }
    const file = result.data;
    const content = contentOf(file, manifests);
    const problem = (path: PropertyKey[], message: string): FolderProblem => {
      const place = path[0] === "manifests" ? this.#places[Number(path[1])] : undefined;
      return place
        ? problemAt(place, path.slice(2), message)
        : problemAt(this.#main, pathInFile(file, path), message);
    };
    for (const { path, message } of fileIssues(file, manifests))
      this.#refuse(this.#main, path, message);
    for (const { path, message } of templateIssues(content, misfits))
      this.problems.push(problem(path, message));
    return { id: this.#id, name: file.name ?? nameOf(this.#id), content, problem };
  }

  #onlyDocument(): YamlDocument | undefined {
    const [document, second] = this.#documents(this.#main.file) ?? [];
    if (second) this.#refuse({ ...this.#main, document: second }, [], "expected one document");
    return document;
  }

  /** In the order of files, and of documents within a file. */
  #manifests(): ManifestSource[] {
    const folder = join(this.#folder, "manifests");
    if (!isFolder(folder)) return [];
    const names = readdirSync(folder).sort();
    const files = names.filter((name) => name.endsWith(".yaml") && !isFolder(join(folder, name)));
    this.#refuseStrangers(folder, files);
    return files.flatMap((name): ManifestSource[] => {
      const file = join(folder, name);
      return (this.#documents(file) ?? []).flatMap((document): ManifestSource[] => {
        const { value } = document;
        if (!isObject(value)) {
          this.#refuse({ file, document }, [], "must be a Kubernetes object");
          return [];
        }
        this.#places.push({ file, document });
        return [value];
      });
    });
  }

  /** Undefined, with a problem, if there are none. */
  #documents(file: string): YamlDocument[] | undefined {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    } catch (error) {
      const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
      this.#refuse({ file }, [], missing ? "is missing" : "cannot be read as UTF-8 text");
      return undefined;
    }
    const { documents, errors } = parseYaml(text);
    for (const error of errors) this.problems.push({ file, field: "", ...error });
    if (errors.length === 0 && documents.length === 0) this.#refuse({ file }, [], "is empty");
    return documents;
  }

  /** Refuses files with unknown names, which would otherwise be ignored silently. */
  #refuseStrangers(folder: string, known: string[]): void {
    for (const name of readdirSync(folder)) {
      if (known.includes(name) || name.startsWith(".")) continue;
      const file = join(folder, name);
      this.#refuse(
        { file },
        [],
        "is not part of a template; only template.yaml and manifests/*.yaml are",
      );
    }
  }

  #refuse(place: Place, path: PropertyKey[], message: string): void {
    this.problems.push(problemAt(place, path, message));
  }
}

function problemAt({ file, document }: Place, path: PropertyKey[], message: string): FolderProblem {
  const position = document?.at(path) ?? { line: 1, column: 1 };
  return { file, ...position, field: fieldOf(path), message };
}

/** Ids may contain characters that names may not. */
const nameOf = (id: string): string => id.toLowerCase().replaceAll(/[._]/g, "-");

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
