import { AsyncLocalStorage } from "node:async_hooks";
import { identitiesClaimedKey } from "../../../core/kernel/object/keys.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Target } from "../../../core/kernel/saga/operated.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import { mapSteps, type Step, undoName } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Store, Write } from "../../../core/kernel/store/store.ts";
import type { Outside } from "../outside.ts";

/** What the acts and looks of sagas do, move by move: their requests to systems outside, and their writes. */

/** One call of an act or of a look. */
export interface Run {
  state: string;
  of: "act" | "look";
  operation: Operation;
  /** How often it has made each move. */
  made: Map<string, number>;
}

/** A request to a system outside, or a transaction of the store. */
export interface Move {
  run: Run;
  /** The same for the same move of another run; no two of a run are the same. */
  name: string;
  /**
   * It is to change something outside, or to claim something: to write anything in the store but the
   * target and the operation.
   */
  isEffect: boolean;
  /** A transaction of the store; a request otherwise. */
  isWrite: boolean;
}

/** Stands before and after each move. A move that is not sent on never ends. */
export type Watch = <T>(move: Move, send: () => Promise<T>) => Promise<T>;

const running = new AsyncLocalStorage<Run>();

/** Requests that only ask, whatever their method: for a token, and who we are. */
const onlyAsks = /\/auth(\/|$)|selfsubjectreviews$/;
/** What another run has another of: objects of ours, and jobs of servers' controllers. */
const drawnIds = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=JID_)[0-9a-f]+/g;

/** The next move of this sort in a run. */
function named(run: Run, what: string): string {
  const made = run.made.get(what) ?? 0;
  return `${run.of}: ${what}${made > 0 ? ` (${made + 1})` : ""}`;
}

const count = ({ made }: Run, what: string): void => void made.set(what, (made.get(what) ?? 0) + 1);

/** A write is made once it was not refused: one that met another is tried again. */
const written = <T>(
  watch: Watch,
  { run, what, isEffect }: { run: Run; what: string; isEffect: boolean },
  write: () => Promise<T>,
): Promise<T> =>
  watch({ run, name: named(run, what), isEffect, isWrite: true }, async () => {
    const answer = await write();
    count(run, what);
    return answer;
  });

/** The requests that acts and looks make. */
export const watchedOutside =
  (watch: Watch): Outside =>
  async (request, send) => {
    const run = running.getStore();
    const path = decodeURIComponent(new URL(request.url).pathname);
    if (!run || onlyAsks.test(path)) return send();
    const isChange = request.method !== "GET";
    const what = `${request.method} ${path.replace(drawnIds, "*")}`;
    const move = { run, name: named(run, what), isEffect: isChange, isWrite: false };
    count(run, what);
    return watch(move, send);
  };

/** Sagas whose acts and looks are watched; `around` stands around each of them. */
export function watchedSagas(
  sagas: Sagas,
  watch: Watch,
  around: (run: Run, work: () => Promise<void>) => Promise<void>,
): Sagas {
  const call =
    (state: string, of: Run["of"], work: NonNullable<StepAction<Target>["act"]>) =>
    (target: Target, context: StepContext<Target>): Promise<void> => {
      const run: Run = { state, of, operation: context.operation, made: new Map() };
      return running.run(run, () => around(run, () => work(target, watched(context, run, watch))));
    };
  const action = (
    state: string,
    { act, look, ...rest }: StepAction<Target>,
  ): StepAction<Target> => ({
    ...rest,
    ...(act && { act: call(state, "act", act) }),
    ...(look && { look: call(state, "look", look) }),
  });
  const row = ({
    name,
    do: forward,
    undo,
  }: Step<StepAction<Target>>): Step<StepAction<Target>> => ({
    name,
    do: action(name, forward),
    ...(undo && { undo: action(undoName(name), undo) }),
  });
  return Object.fromEntries(
    Object.entries(sagas).map(([name, saga]) => [
      name,
      { ...saga, nodes: mapSteps(saga.nodes, row) },
    ]),
  );
}

/** A context whose writes are watched. */
function watched(context: StepContext<Target>, run: Run, watch: Watch): StepContext<Target> {
  const { store } = context.deps;
  const { kind, id } = context.operation.spec.target;
  const targetKey = `${kind}#${id}`;
  // That former machines have claimed themselves is so for the whole deployment, whichever attempt writes it.
  const own = new Set([targetKey, `operation#${context.operation.id}`, identitiesClaimedKey.pk]);
  const watchedStore: Store = {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact(writes) {
      const keys = writes.flatMap(writtenIn);
      // What hubs tell of hosts and of the target is news, which an agent may have brought before.
      const isNews = keys.every((key) => key.startsWith("host#") || key === targetKey);
      if (isNews) return store.transact(writes);
      const isEffect = keys.some((key) => !own.has(key));
      const what = `write ${[...new Set(keys.map((key) => key.split("#")[0]))].sort().join(", ")}`;
      return written(watch, { run, what, isEffect }, () => store.transact(writes));
    },
  };
  return {
    ...context,
    deps: { ...context.deps, store: watchedStore },
    change: (edit, beside) =>
      written(watch, { run, what: "change the target", isEffect: false }, () =>
        context.change(edit, beside),
      ),
  };
}

/** The partition of the item that a write writes; a check writes none. */
function writtenIn(write: Write): string[] {
  if ("check" in write) return [];
  if ("put" in write) return [write.put.pk];
  return ["update" in write ? write.update.pk : write.delete.pk];
}
