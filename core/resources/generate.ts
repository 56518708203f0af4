import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "./index.ts";

/** Generates the registries of kinds from the exports of their folders; `--check` only compares. */

interface Registry {
  /** The name of the file in `generated/` and of its export. */
  name: string;
  /** The file of a kind's folder that exports its part; the fallback is `kind.ts`. */
  file: string;
  member: string;
  type: string;
  from: string;
  says: string;
  /** Set if some kinds have no such part. */
  optional?: true;
}

const registries: Registry[] = [
  {
    name: "kinds",
    file: "kind",
    member: "kind",
    type: "Kinds",
    from: "../../kernel/object/kind.ts",
    says: "The definition of every kind, for the kernel.",
  },
  {
    name: "wire-forms",
    file: "wire",
    member: "wire",
    type: "WireForms",
    from: "../../kernel/object/wire-form.ts",
    says: "The form of every kind on the wire.",
  },
  {
    name: "api-kinds",
    file: "api",
    member: "api",
    type: "ApiKinds",
    from: "../../kernel/request/api-of.ts",
    says: "The parts of every kind that only the API needs.",
  },
  {
    name: "permissions",
    file: "kind",
    member: "permissions",
    type: "KindPermissions",
    from: "../../kernel/request/permissions.ts",
    says: "The permissions of every kind.",
  },
  {
    name: "documentations",
    file: "documentation",
    member: "documentation",
    type: "Documentations",
    from: "../../kernel/request/documentation.ts",
    says: "The part of every kind in the API reference.",
  },
  {
    name: "operated",
    file: "operated",
    member: "operated",
    type: "Operated",
    from: "../../kernel/saga/operated.ts",
    says: "What operations mean for the objects of the kinds that have them.",
    optional: true,
  },
  {
    name: "owners",
    file: "owning",
    member: "owning",
    type: "Owners",
    from: "../../at-site/owners.ts",
    says: "What the kinds say of the things that their objects own outside.",
    optional: true,
  },
  {
    name: "meanings",
    file: "observed",
    member: "meanings",
    type: "KindMeanings",
    from: "../../ports/hub/meaning.ts",
    says: "What the kinds read in hubs' reports.",
    optional: true,
  },
  {
    name: "observers",
    file: "observer",
    member: "observer",
    type: "Observers",
    from: "../../ports/hub/observer.ts",
    says: "How the kinds observe their objects.",
    optional: true,
  },
  {
    name: "absences",
    file: "absence",
    member: "absence",
    type: "Absences",
    from: "../../ports/hub/absence.ts",
    says: "What the kinds make of objects that a direct read of a hub did not find.",
    optional: true,
  },
  {
    name: "machines",
    file: "machines",
    member: "machines",
    type: "Servings",
    from: "../../machine/serving.ts",
    says: "What the kinds say to the machines that they boot.",
    optional: true,
  },
  {
    name: "reactions",
    file: "reaction",
    member: "reaction",
    type: "Reactions",
    from: "../../kernel/relay/reaction.ts",
    says: "The reactions of the relay to changes of objects, by kind.",
    optional: true,
  },
];

const here = import.meta.dirname;
const camel = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kindOf = (folder: string): string => folder.replaceAll("-", "_");

/** The file of a folder that exports the member; undefined if none does. */
function fileWith(folder: string, { file, member }: Registry): string | undefined {
  return [file, "kind"].find((name) => {
    const path = join(here, folder, `${name}.ts`);
    return (
      existsSync(path) && new RegExp(`export const ${member}\\b`).test(readFileSync(path, "utf8"))
    );
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
  const declared = `export const ${camel(registry.name)}: ${registry.type} =`;
  return [
    "// Made by `npm run generate` from core/resources/index.ts.",
    `import type { ${registry.type} } from "${registry.from}";`,
    ...imports,
    "",
    `/** ${registry.says} */`,
    ...(members.length === 0 ? [`${declared} {};`] : [`${declared} {`, ...members, "};"]),
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
