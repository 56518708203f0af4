import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "./index.ts";

/** Makes the registries of kinds from what their folders export; with `--check`, only compares. */

interface Registry {
  /** The file in `generated/`, and what it exports. */
  name: string;
  /** What a folder exports for it: in a file of this name, or in `kind.ts`. */
  file: string;
  member: string;
  type: string;
  from: string;
  says: string;
  /** Only some kinds have one. */
  optional?: true;
}

const registries: Registry[] = [
  {
    name: "kinds",
    file: "kind",
    member: "kind",
    type: "Kinds",
    from: "../../kernel/object/kind.ts",
    says: "What the kernel must know of every kind.",
  },
  {
    name: "wire-forms",
    file: "wire",
    member: "wire",
    type: "WireForms",
    from: "../../kernel/object/wire-form.ts",
    says: "How the API shows every kind.",
  },
  {
    name: "api-kinds",
    file: "api",
    member: "api",
    type: "ApiKinds",
    from: "../../kernel/request/api-of.ts",
    says: "What the API alone must know of every kind.",
  },
  {
    name: "permissions",
    file: "kind",
    member: "permissions",
    type: "KindPermissions",
    from: "../../kernel/request/permissions.ts",
    says: "Who may do what with the objects of every kind.",
  },
  {
    name: "documentations",
    file: "documentation",
    member: "documentation",
    type: "Documentations",
    from: "../../kernel/request/documentation.ts",
    says: "What the reference says of every kind.",
  },
  {
    name: "operated",
    file: "operated",
    member: "operated",
    type: "Operated",
    from: "../../kernel/saga/operated.ts",
    says: "What the kinds say of the operations that change their objects.",
    optional: true,
  },
  {
    name: "owners",
    file: "owning",
    member: "owning",
    type: "Owners",
    from: "../site/owners.ts",
    says: "What the kinds say of the things that their objects own outside.",
    optional: true,
  },
  {
    name: "reactions",
    file: "reaction",
    member: "reaction",
    type: "Reactions",
    from: "../../kernel/relay/reaction.ts",
    says: "What the relay does when an object of a kind has changed.",
    optional: true,
  },
];

const here = import.meta.dirname;
const camel = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kindOf = (folder: string): string => folder.replaceAll("-", "_");

/** The file of a folder that exports the member; undefined where none does. */
function fileWith(folder: string, { file, member }: Registry): string | undefined {
  return [file, "kind"].find((name) => {
    const path = join(here, folder, `${name}.ts`);
    return existsSync(path) && readFileSync(path, "utf8").includes(`export const ${member}`);
  });
}

function registryText(registry: Registry): string {
  const found = resources.flatMap((folder) => {
    const file = fileWith(folder, registry);
    if (file) return [{ folder, file }];
    if (registry.optional) return [];
    throw new Error(
      `core/resources/${folder} has no ${registry.member}: export it in ${registry.file}.ts or kind.ts`,
    );
  });
  const imports = found.map(
    ({ folder, file }) =>
      `import { ${registry.member} as ${camel(folder)} } from "../${folder}/${file}.ts";`,
  );
  const members = found.map(({ folder }) => {
    const [kind, value] = [kindOf(folder), camel(folder)];
    return kind === value ? `  ${kind},` : `  ${kind}: ${value},`;
  });
  return [
    "// Made by `npm run generate` from core/resources/index.ts.",
    `import type { ${registry.type} } from "${registry.from}";`,
    ...imports,
    "",
    `/** ${registry.says} */`,
    `export const ${camel(registry.name)}: ${registry.type} = {`,
    ...members,
    "};",
    "",
  ].join("\n");
}

const isCheck = process.argv.includes("--check");
const folder = join(here, "generated");
mkdirSync(folder, { recursive: true });
for (const registry of registries) {
  const path = join(folder, `${registry.name}.ts`);
  const text = registryText(registry);
  if (!isCheck) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${path} is not up to date: npm run generate\n`);
    process.exitCode = 1;
  }
}
