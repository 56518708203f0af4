import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { apiCommands, byHand, commandOf, hidden } from "../../cli/api/commands.ts";
import { declaredActions } from "../../cli/api/declared.ts";
import type { Document } from "../../cli/api/document.ts";
import { operationsOfDocument } from "../../cli/api/document.ts";
import { areaOf, operations } from "../../cli/api/operations.ts";
import { ofEntries } from "../../cli/output/entries.ts";
import { ofKinds } from "../../cli/output/kinds.ts";
import { everyCommand, programOf } from "../../cli/program.ts";

/** Every operation of the API has a command, and every command says what it is for. */

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
}

const document: Document & { components: { schemas: Record<string, Schema> } } = JSON.parse(
  readFileSync("functions/api/generated/openapi.json", "utf8"),
);
const all = operationsOfDocument(document, declaredActions);
const program = programOf(async () => {});

function commandAt(name: string) {
  const [group, verb] = name.split(" ");
  const found = program.commands.find((each) => each.name() === group);
  return verb === undefined ? found : found?.commands.find((each) => each.name() === verb);
}

it("every operation of the document has a command of the program, or is hidden for a reason", () => {
  expect(all.length).toBeGreaterThan(200);
  for (const operation of all) {
    const name = commandOf(operation);
    if (name === undefined) expect(hidden[operation.id], operation.id).toMatch(/\w+ \w+/);
    else expect(commandAt(name), `${operation.id}: ${name}`).toBeDefined();
  }
  expect(operations()).toEqual(all);
});

it("no command stands for two operations of one area, and none that is named is missing", () => {
  const names = all.flatMap((each) => {
    const name = commandOf(each);
    return name === undefined ? [] : [`${areaOf(each)} ${name}`];
  });
  expect(new Set(names).size).toBe(names.length);
  const ids = all.map(({ id }) => id);
  for (const id of Object.keys(hidden)) expect(ids).toContain(id);
  for (const name of byHand) expect(all.map(commandOf)).toContain(name);
  expect(apiCommands().length).toBeGreaterThan(100);
});

it("every command says what it does, and no two options of one have a name", () => {
  for (const group of program.commands)
    for (const command of [group, ...group.commands]) {
      expect(command.description(), command.name()).not.toBe("");
      const names = [...program.options, ...command.options].map(({ long }) => long);
      expect(new Set(names).size, `${group.name()} ${command.name()}`).toBe(names.length);
    }
});

it("every column of a kind's table is a member of the kind", () => {
  const { schemas } = document.components;
  const memberOf = (
    { $ref, anyOf = [], oneOf = [], properties }: Schema,
    name: string,
  ): Schema | undefined => {
    if ($ref !== undefined) return memberOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, name);
    const choices = [...anyOf, ...oneOf].flatMap((each) => memberOf(each, name) ?? []);
    return properties?.[name] ?? choices[0];
  };
  for (const [kind, rows] of Object.entries(ofKinds)) {
    const name = kind.replaceAll(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
    const schema = schemas[`Private${name}`] ?? schemas[name] ?? {};
    for (const [head, path] of rows) {
      const member = path
        .split(".")
        .reduce<Schema | undefined>((inner, each) => inner && memberOf(inner, each), schema);
      expect(member, `${kind} ${head}: ${path}`).toBeDefined();
    }
  }
  expect(Object.keys(ofEntries)).toContain("audit_entry");
});

it("no option is for a secret: other users of this computer may see options", () => {
  const options = everyCommand(program).flatMap((each) => each.options);
  const ofTokens = options.flatMap(({ flags }) => (flags.includes("token") ? flags : []));
  expect([...new Set(ofTokens)].toSorted()).toEqual([
    "--agent-token-file <file>",
    "--token-file <file>",
  ]);
  const ofSecrets = apiCommands().flatMap(({ words, ...areas }) =>
    [areas.public, areas.private]
      .flatMap((operation) => operation?.flags ?? [])
      .filter(({ name }) =>
        /pass|token|secret|credential|key|pem|kubeconfig|user-data|cert/.test(name),
      )
      .map(({ name }) => `${words[0]} --${name}`),
  );
  // A key that all may know, the name of what is kept, and when a credential ends.
  expect([...new Set(ofSecrets)].toSorted()).toEqual([
    "baremetal-instance --ssh-public-key",
    "cluster --pull-secret-secret",
    "cluster --ssh-public-key",
    "hub --credentials-end",
  ]);
});
