import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openApi } from "../../../functions/api/openapi.ts";
import { routes } from "../../../functions/api/routes.ts";

const document = openApi(routes);

it("is committed as it is generated", () => {
  const committed = readFileSync(
    new URL("../../../functions/api/openapi.json", import.meta.url),
    "utf8",
  );
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
});

it("refers only to what it has, and names every operation once", () => {
  const text = JSON.stringify(document);
  const components = JSON.parse(text).components;
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
    expect(components[kind ?? ""]).toHaveProperty(name ?? "");
  }
  expect(text).not.toContain("$defs");
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(routes.length);
  expect(new Set(ids).size).toBe(ids.length);
});
