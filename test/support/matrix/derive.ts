import { type Arrival, arrivalName, arrivals, neverArrives } from "./arrivals.ts";
import type { Change, Subject } from "./stage.ts";
import { type Failing, mayFailAfter, nextToStick, type State, sagaOf, statesOf } from "./states.ts";
import { type Sort, sorts } from "./way.ts";
import { type WayName, wayNames, wayOf } from "./ways.ts";

/**
 * The combinations of the matrix: the product of what a saga may be asked for, its states, the failures
 * that lead to an undo, and the ways to break a state or the requests that arrive at it. Four rules
 * keep it small:
 *
 * - The plain change of a saga, which is its first, meets each state with every way and request.
 * - Every other change meets each state with one way of each sort and with one request: the next one that
 *   is possible, in turn. A change that takes far longer meets each state with one way of any sort.
 * - Each undo meets the failure of each other step that can lead to it in the plain change, with one way:
 *   the next one that is possible, in turn.
 * - A request meets an undo after one of the failures: the next one that is possible, in turn. Of the ways
 *   that take a day, each state meets one.
 */

export type How = { way: WayName } | { arrival: Arrival };

export interface Combination {
  saga: string;
  change: string;
  state: State;
  /** Of an undo: why the saga turns back. */
  failing?: Failing;
  how: How;
  /** What is broken besides, in the same way. */
  next?: State;
  sort: Sort | "request";
  isLong: boolean;
  /** Its change takes far longer than others. */
  isLarge: boolean;
  /** Why there cannot be such a case. */
  impossible?: string;
}

export const howName = (how: How): string => ("way" in how ? how.way : arrivalName(how.arrival));

/** Why a saga may turn back, so that its undos run. */
const failings = ["own begin", "own end", "last end"] as const;

interface Row {
  change: string;
  state: State;
  failing?: Failing;
  impossible?: string;
}

/** The states of a saga in one of its changes; an undo once for each failure that leads to it. */
function rowsOf({ sagas }: Subject, saga: string, name: string, change: Change): Row[] {
  const states = statesOf(sagaOf(sagas, saga));
  const last = states.findLast(({ isUndo }) => !isUndo);
  return states.flatMap((state): Row[] => {
    if (!state.isUndo) return [{ change: name, state }];
    return failings.map((why): Row => {
      const row = states.find(({ name }) => name === state.step);
      const failing: Failing = {
        step: why === "last end" && last ? last.name : state.step,
        at: why === "own begin" ? "begin" : "end",
      };
      const impossible = change.holds
        ? "what fails is held: nothing is undone"
        : why === "last end" && last?.name === state.step
          ? "the step of the undo is the last one itself"
          : why === "own begin" && !(row?.action.until && row.action.act)
            ? "a step without an act or an until fails at once or not at all"
            : undefined;
      return { change: name, state, failing, ...(impossible !== undefined && { impossible }) };
    });
  });
}

/** The undos of a saga in one of its changes, each after the failure of each step that is not in `failings`. */
function pairsOf({ sagas }: Subject, name: string, change: string): Row[] {
  const saga = sagaOf(sagas, name);
  const states = statesOf(saga);
  const last = states.findLast(({ isUndo }) => !isUndo)?.step;
  return states
    .filter(({ isUndo }) => isUndo)
    .flatMap((state) =>
      mayFailAfter(saga, state.step)
        .filter((step) => step !== last)
        .map((step): Row => ({ change, state, failing: { step, at: "end" } })),
    );
}

const longWays = wayNames.filter((way) => wayOf(way).isLong);
const shortWays = wayNames.filter((way) => !wayOf(way).isLong);

/** Every combination of a saga, in the order of its table. */
export function combinationsOf(subject: Subject, name: string): Combination[] {
  const saga = sagaOf(subject.sagas, name);
  const irreversible = saga.irreversible === true;
  const last = statesOf(saga).findLast(({ isUndo }) => !isUndo);
  return Object.entries(subject.changes[name] ?? {}).flatMap(([title, change], index) => {
    const rows = rowsOf(subject, name, title, change);
    const isLarge = change.isLarge === true;
    const withWay = (row: Row, way: WayName): Combination => {
      const { sort, isLong = false, never, breaksNext } = wayOf(way);
      const next = breaksNext && nextToStick(saga, row.state);
      const impossible =
        row.impossible ??
        never(row.state, irreversible) ??
        (breaksNext && !next ? "nothing comes next that could be broken" : undefined);
      const place = { saga: name, ...row, ...(next && { next }) };
      return { ...place, how: { way }, sort, isLong, isLarge, ...reason(impossible) };
    };
    const withArrival = (row: Row, arrival: Arrival): Combination => {
      const isLast = row.state.name === last?.name;
      const place = { state: row.state, irreversible, isLast, change };
      const impossible = row.impossible ?? neverArrives(arrival, place);
      const kind = { sort: "request", isLong: false, isLarge } as const;
      return { saga: name, ...row, how: { arrival }, ...kind, ...reason(impossible) };
    };
    const states = [...Map.groupBy(rows, ({ state }) => state.name).values()];
    /** Each state with every way and request. */
    const whole = (alike: Row[], place: number): Combination[] => [
      ...shortWays.flatMap((way) => alike.map((row) => withWay(row, way))),
      ...inTurn(
        alike.flatMap((row) => longWays.map((way) => withWay(row, way))),
        place,
      ),
      ...arrivals.flatMap((arrival, n) =>
        inTurn(
          alike.map((row) => withArrival(row, arrival)),
          place + n,
        ),
      ),
    ];
    /** Each state with one way of each sort, and one request. */
    const short = (alike: Row[], place: number): Combination[] => [
      ...(isLarge ? [sorts] : sorts.map((sort) => [sort])).flatMap((some: readonly Sort[], n) => {
        const ofSort = shortWays.filter((way) => some.includes(wayOf(way).sort));
        const all = alike.flatMap((row) => ofSort.map((way) => withWay(row, way)));
        return inTurn(all, index + place + n);
      }),
      ...inTurn(
        alike.flatMap((row) => arrivals.map((arrival) => withArrival(row, arrival))),
        index + place,
      ),
    ];
    if (index > 0) return states.flatMap(short);
    const pairs = pairsOf(subject, name, title).flatMap((row, n) =>
      inTurn(
        shortWays.map((way) => withWay(row, way)),
        n,
      ),
    );
    return [...states.flatMap(whole), ...pairs];
  });
}

const reason = (impossible: string | undefined) => (impossible === undefined ? {} : { impossible });

/** The one whose turn it is of those that are possible; the first if none is. */
function inTurn(alike: Combination[], turn: number): Combination[] {
  const possible = alike.filter(({ impossible }) => impossible === undefined);
  const place = turn % Math.max(1, possible.length);
  const one = possible[place] ?? alike[0];
  return one ? [one] : [];
}

/** The name of a case; no other case has it. */
export function titleOf({ change, state, failing, how }: Combination): string {
  const why = failing && ` (${failing.step} fails at its ${failing.at})`;
  return `${change}: ${state.name}${why ?? ""}: ${howName(how)}`;
}
