import { fileURLToPath } from "node:url";
import { createConfig, lint } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import document from "../../../functions/api/generated/openapi.json" with { type: "json" };

/** What the linters that registries and gateways use say of the committed document. */

const file = fileURLToPath(
  new URL("../../../functions/api/generated/openapi.json", import.meta.url),
);

it("has no finding by redocly's recommended rules", { tags: "smoke" }, async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lint({ ref: file, config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

it("has no finding by spectral's rules for OpenAPI", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: rulesets.oas } as never);
  const findings = await linter.run(document);
  expect(findings.map(({ code, message, path }) => [code, message, path.join(".")])).toEqual([]);
});
