import { AsyncLocalStorage } from "node:async_hooks";
import { type Clock, sleep } from "../core/clock.ts";
import type { SqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import type { Key, StreamRecord } from "../core/kernel/store/store.ts";
import type { Log } from "../core/log.ts";

/**
 * Reads the stream like a Lambda on a DynamoDB stream: every record, in order, at least once, resuming after the last
 * record handled.
 */

const batch = 100;
/** The attempts to handle a record; after them it is quarantined for a person. */
const tries = 20;
const pause = 1000;
const cursorName = "relay";

export interface StreamReader {
  /** Resolves when everything written so far has been handled. */
  drained(): Promise<void>;
  /** Whether a written record has not been handled yet. */
  isBehind(): boolean;
  stop(): Promise<void>;
}

export function readStream(
  options: {
    store: SqliteStore;
    clock: Clock;
    log: Log;
    /** Whether records of this key are handled, like the filter of a Lambda's stream; all by default. */
    isWanted?: (key: Key) => boolean;
  },
  handle: (record: StreamRecord) => Promise<void>,
): StreamReader {
  const { store, clock, log, isWanted = () => true } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const handleOne = async (record: StreamRecord): Promise<void> => {
    for (let n = 1; !signal.aborted; n++) {
      try {
        return await handle(record);
      } catch (error) {
        log.warn({ key: record.key.pk, attempt: n, error: String(error) }, "stream record failed");
        if (n === tries) {
          store.setSetting(`dead-letter#${record.sequence}`, JSON.stringify(record.key));
          return;
        }
        // Rejects only when the reader stops, which ends the loop.
        await sleep(clock, pause, signal).catch(() => {});
      }
    }
  };

  /** Handles all records that are available; returns whether there were any. */
  const drain = async (): Promise<boolean> => {
    for (let hasRead = false; ; hasRead = true) {
      const records = store.stream(store.setting(cursorName), batch, isWanted);
      const last = records.at(-1);
      if (!last) return hasRead;
      for (const record of records.filter(({ key }) => isWanted(key))) {
        await handleOne(record);
        if (signal.aborted) return true;
        store.setSetting(cursorName, record.sequence);
      }
      store.setSetting(cursorName, last.sequence);
      store.trimStream(last.sequence);
    }
  };

  const isBehind = (): boolean => store.hasNews(store.setting(cursorName));

  const kick = (): void => {
    if (signal.aborted || running) return;
    running = drain()
      .catch(async (error) => {
        log.error({ error: String(error) }, "the stream cannot be read");
        // Pauses first, because a cause such as a full disk lasts.
        await sleep(clock, pause, signal).catch(() => {});
        return true;
      })
      .then((hasRead) => {
        running = undefined;
        // A record may have been written while the last batch was handled. A stream that returned nothing calls `kick`
        // later.
        if (hasRead && !signal.aborted && isBehind()) kick();
      });
  };

  // Writers call this, but the records are handled with the rights of the reader.
  const kickAsReader = AsyncLocalStorage.bind(kick);
  const unsubscribe = store.onChange(() => setImmediate(kickAsReader));
  kick();
  return {
    isBehind,
    async drained() {
      while (running) await running;
    },
    async stop() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}
