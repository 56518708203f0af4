import type { Key, Store } from "../../core/kernel/store/store.ts";
import type { Secrets } from "../../core/ports/secrets/secrets.ts";
import { memorySecrets } from "./memory-secrets.ts";

/** Calls that went out together. */
export type Round = string[];

export interface Rounds {
  /** Each round, in order. */
  rounds: Round[];
  store: Store;
  secrets: Secrets;
}

/**
 * What is asked outside, in rounds: as if every call took the same time, and all else none. Calls that
 * are out together are answered together, once nothing goes on that could ask for more.
 */
export function inRounds({
  store,
  secrets = memorySecrets(new Map()),
}: {
  store: Store;
  secrets?: Secrets;
}): Rounds {
  const rounds: Round[] = [];
  let waiting: { name: string; go: () => void }[] = [];
  const flush = async () => {
    await quiet();
    const round = waiting;
    waiting = [];
    rounds.push(round.map(({ name }) => name));
    for (const { go } of round) go();
  };
  const through = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    await new Promise<void>((go) => {
      waiting.push({ name, go });
      if (waiting.length === 1) void flush();
    });
    return call();
  };
  return {
    rounds,
    store: {
      get: (key) => through(`get ${nameOf(key)}`, () => store.get(key)),
      getMany: (keys) =>
        through(`getMany ${keys.map(nameOf).join(" ")}`, () => store.getMany(keys)),
      query: (query) => through(`query ${query.pk}`, () => store.query(query)),
      count: (query) => through(`count ${query.pk}`, () => store.count(query)),
      transact: (writes) => through(`transact ${writes.length}`, () => store.transact(writes)),
    },
    secrets: {
      get: (reference) => through(`secret ${reference}`, () => secrets.get(reference)),
      put: (reference, value) =>
        through(`put secret ${reference}`, () => secrets.put(reference, value)),
      remove: (reference) => through(`remove secret ${reference}`, () => secrets.remove(reference)),
    },
  };
}

/** The partition of a key; with its place there where it is not alone. */
const nameOf = ({ pk, sk }: Key): string => (sk === "-" ? pk : `${pk}/${sk}`);

/** Lets everything happen that waits for no call: promises, and a few rounds of immediates. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 4; n++) await new Promise((resolve) => setImmediate(resolve));
}
