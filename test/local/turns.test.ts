import { expect, it } from "vitest";
import { turns } from "../../local/turns.ts";

it("gives turns in order, each in a round of the event loop of its own", async () => {
  const turn = turns();
  const seen: string[] = [];
  const rounds = (left: number): void => {
    if (left === 0) return;
    seen.push("round");
    setImmediate(() => rounds(left - 1));
  };
  const works = ["first", "second", "third"].map(async (name) => {
    await turn();
    // Work that waits for nothing outside is done in one go.
    for (let n = 0; n < 100; n++) await Promise.resolve();
    seen.push(name);
  });
  rounds(4);
  await Promise.all(works);
  expect(seen).toEqual(["round", "first", "round", "second", "round", "third"]);
});

it("gives turns again after all were given", async () => {
  const turn = turns();
  await turn();
  await turn();
  await expect(Promise.all([turn(), turn()])).resolves.toHaveLength(2);
});
