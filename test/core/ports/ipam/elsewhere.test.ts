import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { ipamContract } from "./contract.ts";
import { ipamElsewhere } from "./elsewhere.ts";

// The port asks for nothing that only an allocator within the store's transactions can do.
ipamContract(
  "numbers that another system gives out",
  () => ({ store: openSqliteStore(":memory:"), clock: new VirtualClock() }),
  ipamElsewhere,
);
