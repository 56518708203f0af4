import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { storeContract } from "./contract.ts";

storeContract("SQLite", async () => {
  const store = openSqliteStore(":memory:");
  return { store, close: () => store.close() };
});
