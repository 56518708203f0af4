import { describe, expect, it } from "vitest";
import { dynamodbStore } from "../../../../core/kernel/store/dynamodb/dynamodb.ts";
import { absent } from "../../../../core/kernel/store/store.ts";
import { catalogApi, order as orderOf, v1 } from "../../../support/api.ts";
import { testDeps } from "../../../support/deps.ts";
import { DynamodbFake } from "../../../support/dynamodb-fake.ts";
import { storeContract } from "./contract.ts";

function open() {
  const fake = new DynamodbFake();
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  const store = dynamodbStore({ client: fake.client, table: "slipway", sleep });
  return { fake, store, close: () => fake.client.destroy() };
}

storeContract("DynamoDB, on a fake behind the real client", async () => open(), 30);

const key = { pk: "p", sk: "s" };

it("counts an add once when the SDK repeats it because the answer was lost", async () => {
  const { fake, store } = open();
  fake.lostAnswers = 1;
  await store.transact([{ update: key, add: { n: 1 } }]);
  expect(fake.lostAnswers).toBe(0);
  expect(await store.get(key)).toEqual({ ...key, n: 1 });
});

it("is Unavailable, not refused, when its own repeated write is in its way", async () => {
  const { fake, store } = open();
  fake.lostAnswers = 1;
  const claim = store.transact([{ put: { ...key, owner: "me" }, if: absent }]);
  await expect(claim).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await store.get(key)).toEqual({ ...key, owner: "me" });
});

describe("a transaction that is not answered and still under way", () => {
  const order = [{ put: { ...key, owner: "me" }, if: absent }, { put: { pk: "p", sk: "t" } }];

  it("is not refused because of itself", async () => {
    const { fake, store } = open();
    fake.slowTransaction = 5;
    await store.transact(order);
    expect(await store.get(key)).toEqual({ ...key, owner: "me" });
  });

  it("does not make the API refuse the order that it accepts", async () => {
    const { fake, store } = open();
    const api = await catalogApi(testDeps({ store }));
    fake.slowTransaction = 5;
    const { status } = await api.ask("amy", "POST", `${v1}/clusters`, orderOf("one"));
    expect(status).toBe(200);
    expect((await api.ask("amy", "GET", `${v1}/clusters`)).body.total).toBe(1);
  });
});
