import { dynamodbStore } from "../../../../../core/kernel/store/dynamodb/dynamodb.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import { ownIpam } from "../../../../../core/ports/ipam/own/own.ts";
import { testDeps } from "../../../../support/deps.ts";
import { DynamodbFake } from "../../../../support/dynamodb-fake.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { type IpamWorld, ipamContract } from "../contract.ts";

const own = (world: IpamWorld) => ownIpam({ ...testDeps(), ...world });

ipamContract(
  "own numbers, in SQLite",
  () => ({ store: openSqliteStore(":memory:"), clock: new VirtualClock() }),
  own,
);

ipamContract(
  "own numbers, in DynamoDB (a fake behind the real client)",
  () => {
    const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
    const { client } = new DynamodbFake();
    const store = dynamodbStore({ client, table: "slipway", sleep });
    return { store, clock: new VirtualClock() };
  },
  own,
  3,
);
