import { storeContract } from "../../core/kernel/store/contract.ts";
import { liveTable } from "../../support/live-table.ts";
import { access, overTheWire } from "./endpoint.ts";

overTheWire("the store", () => storeContract("DynamoDB", () => liveTable(access), 10));
