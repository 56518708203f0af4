import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sagas } from "../../../statemachines/index.ts";
import { combinations, subjects } from "../../support/matrix/all.ts";
import { arrivalName, arrivals } from "../../support/matrix/arrivals.ts";
import { partNames, partOf } from "../../support/matrix/cases.ts";
import { howName, titleOf } from "../../support/matrix/derive.ts";
import { changeOf } from "../../support/matrix/stage.ts";
import { mayFailAfter, sagaOf, statesOf } from "../../support/matrix/states.ts";
import { wayNames, wayOf } from "../../support/matrix/ways.ts";

const folders = ["./", "../../core/kernel/saga/matrix/"];
const short = wayNames.filter((way) => !wayOf(way).isLong);
const hows = [...short, ...arrivals.map(arrivalName)];

const textOf = (name: string): string =>
  folders
    .map((folder) => {
      try {
        return readFileSync(new URL(`${folder}${name}`, import.meta.url), "utf8");
      } catch {
        return "";
      }
    })
    .join("");

it("has every saga of the product", () => {
  expect(subjects.flatMap(({ changes }) => Object.keys(changes))).toEqual(
    expect.arrayContaining(Object.keys(sagas)),
  );
});

it("has each call of every saga of the product broken", () => {
  const files = globSync("test/statemachines/each-call/*.test.ts");
  const rows = files.map((file) => readFileSync(file, "utf8")).join("");
  expect(Object.keys(sagas).filter((name) => !rows.includes(`, "${name}"`))).toEqual([]);
});

describe.each(
  subjects.flatMap((subject) => Object.keys(subject.changes).map((saga) => ({ subject, saga }))),
)("the matrix of $saga", ({ subject, saga }) => {
  const mine = combinations.filter((each) => each.saga === saga);
  const states = statesOf(sagaOf(subject.sagas, saga)).map(({ name }) => name);
  const [plain = "", ...others] = Object.keys(subject.changes[saga] ?? {});
  const isLarge = (change: string) => changeOf(subject, saga, change).isLarge === true;

  it("has each of its combinations in one file", () => {
    const inParts = partNames.flatMap((part) => partOf(saga, part));
    expect(inParts).toHaveLength(mine.length);
    expect(new Set(inParts)).toEqual(new Set(mine));
    for (const part of partNames)
      expect(textOf(`${saga}-${part}.test.ts`)).toContain(`"${saga}", "${part}"`);
  });

  it("has each state with each way and each request in the plain change, and one that takes a day", () => {
    const inPlain = mine.filter(({ change }) => change === plain);
    const long = inPlain.filter(({ isLong }) => isLong);
    expect(long.map(({ state }) => state.name)).toEqual(states);
    const pairs = inPlain
      .filter(({ isLong }) => !isLong)
      .map(({ state, how }) => `${state.name}: ${howName(how)}`);
    expect(new Set(pairs)).toEqual(
      new Set(states.flatMap((state) => hows.map((how) => `${state}: ${how}`))),
    );
  });

  it("has each undo after the failure of each other step that may lead to it", () => {
    const table = sagaOf(subject.sagas, saga);
    const found = mine.flatMap(({ change, state, failing }) =>
      change === plain && failing && failing.step !== state.step
        ? [`${state.name}: ${failing.step}`]
        : [],
    );
    const wanted = statesOf(table).flatMap(({ name, step, isUndo }) =>
      isUndo ? mayFailAfter(table, step).map((failing) => `${name}: ${failing}`) : [],
    );
    expect(new Set(found)).toEqual(new Set(wanted));
  });

  it("has each state in each other change, with one way of each sort and one request", () => {
    const sorts = ["act", "time", "wait", "call", "wire", "request"];
    const found = mine
      .filter(({ change, isLarge }) => change !== plain && !isLarge)
      .map(({ change, state, sort }) => `${change}: ${state.name}: ${sort}`);
    const wanted = others
      .filter((change) => !isLarge(change))
      .flatMap((change) =>
        states.flatMap((state) => sorts.map((sort) => `${change}: ${state}: ${sort}`)),
      );
    expect(found.sort()).toEqual(wanted.sort());
  });

  it("has each state in each large change, with one way and one request", () => {
    for (const change of others.filter(isLarge))
      for (const state of states) {
        const found = mine.filter((each) => each.change === change && each.state.name === state);
        expect(found.map(({ sort }) => sort === "request")).toEqual([false, true]);
      }
  });

  it("says of each combination why it is impossible, or runs it", () => {
    const possible = mine.filter(({ impossible }) => impossible === undefined);
    const impossible = mine.filter(({ impossible }) => (impossible ?? "") !== "");
    expect(possible.length + impossible.length).toBe(mine.length);
    expect(new Set(possible.map(titleOf)).size).toBe(possible.length);
    // A state that no way could break would look covered and be none.
    expect(new Set(possible.map(({ state }) => state.name))).toEqual(new Set(states));
  });
});
