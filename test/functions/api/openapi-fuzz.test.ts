import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/api.ts";
import { contentOf, faultsIn, type Operation, operations } from "../../support/fuzz/document.ts";
import { osacAnswerOf } from "../../support/fuzz/osac.ts";
import { requests } from "../../support/fuzz/requests.ts";
import { type FuzzWorld, fuzzWorld } from "../../support/fuzz/world.ts";
import { seed, tries } from "../../support/seed.ts";

/**
 * Every operation of the OpenAPI document, asked in ways that it allows and in ways that it does
 * not: whatever is answered is in the document, or, for a client of OSAC, one of OSAC's messages. Each
 * operation is asked `FUZZ_RUNS` times.
 */

const runs = Number(process.env.FUZZ_RUNS || 15);

let world: FuzzWorld;
beforeAll(async () => {
  world = await fuzzWorld();
});

describe.each(operations.map((operation, n) => ({ ...operation, n })))("$id", (operation) => {
  it("answers as the document says", async () => {
    const facts = await world.facts(operation);
    await fc.assert(
      fc
        .asyncProperty(requests(operation, facts), async ({ person, path, body, headers }) => {
          const answer = await world.ask(person, operation.method, path, body, headers);
          const isOsac = headers.Accept?.includes("profile=osac") ?? false;
          expectDocumented(operation, answer, isOsac);
        })
        .afterEach(() => world.restore()),
      // Unlike requests for each.
      tries(runs, seed + operation.n),
    );
  });
});

function expectDocumented(operation: Operation, answer: Answer, isOsac: boolean): void {
  const { status, text } = answer;
  const said = `${status} ${text.slice(0, 1000)}`;
  expect(status, said).toBeLessThan(500);
  const content = contentOf(operation, status);
  expect(content, `${said}: not a status of this operation`).toBeDefined();
  const type = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
  expect(Object.keys(content ?? {}), said).toContain(type);
  const schema = content?.[type]?.schema;
  if (!schema || !type.endsWith("json")) return;
  const osac = isOsac && status === 200 ? osacAnswerOf(operation) : undefined;
  // A watch answers one document a line.
  const lines = operation.id.endsWith(".watch") ? text.trim().split("\n") : [text];
  for (const line of lines)
    if (line) expect(faultsIn(osac ?? schema, JSON.parse(line)), said).toBe(undefined);
}
