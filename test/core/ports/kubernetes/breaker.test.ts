import { beforeEach, expect, it } from "vitest";
import { AppError, type ErrorKind } from "../../../../core/error.ts";
import { Breaker } from "../../../../core/ports/kubernetes/breaker.ts";
import { NotNow } from "../../../../core/ports/kubernetes/not-now.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

let wall: VirtualClock;
let breaker: Breaker;
let calls: number;
let told: number;

beforeEach(() => {
  wall = new VirtualClock();
  told = 0;
  breaker = new Breaker({
    clock: wall,
    threshold: 3,
    failed: async () => {
      told += 1;
    },
  });
  calls = 0;
});

const failWith = (error: AppError) =>
  breaker
    .run(async () => {
      calls += 1;
      throw error;
    })
    .catch((thrown: AppError) => thrown.kind);

const fail = (kind: ErrorKind) => failWith(new AppError(kind, "no"));

const succeed = () =>
  breaker.run(async () => {
    calls += 1;
    return "yes";
  });

const open = async () => {
  for (let n = 0; n < 3; n++) await fail("Unavailable");
};

it("after enough failures in a row nobody calls", async () => {
  await open();
  await expect(succeed()).rejects.toMatchObject({ kind: "Unavailable" });
  expect(calls).toBe(3);
});

it("who is not called is told in the words of the last failure", async () => {
  await open();
  await expect(succeed()).rejects.toMatchObject({ kind: "Unavailable", message: "no" });
});

it("it is told of the first failure, and each time that calls begin to end at once", async () => {
  await open();
  expect(told).toBe(2);
  await fail("Unavailable");
  await wall.advance(15_000);
  await fail("Unavailable");
  expect(told).toBe(2);
  await wall.advance(15_000);
  await succeed();
  await open();
  expect(told).toBe(4);
});

it("a success in between starts the count again", async () => {
  await fail("Unavailable");
  await fail("Unavailable");
  await succeed();
  await fail("Unavailable");
  await fail("Unavailable");
  expect(await succeed()).toBe("yes");
});

it("a refusal is an answer: it does not count, and ends the row", async () => {
  await fail("Unavailable");
  await fail("Unavailable");
  await fail("Rejected");
  await fail("Unavailable");
  expect(await succeed()).toBe("yes");
});

it("a server that says not now was there to say it: a right that one verb lacks stops nobody else", async () => {
  for (let n = 0; n < 10; n++) {
    expect(await failWith(new NotNow("the hub does not grant a right"))).toBe("Unavailable");
  }
  expect(calls).toBe(10);
  expect(await succeed()).toBe("yes");
});

it("after the rest one probe goes through, and success lets all through", async () => {
  await open();
  await wall.advance(15_000);
  expect(await succeed()).toBe("yes");
  expect(await succeed()).toBe("yes");
});

it("a failed probe means another rest", async () => {
  await open();
  await wall.advance(15_000);
  expect(await fail("Unavailable")).toBe("Unavailable");
  expect(calls).toBe(4);
  await expect(succeed()).rejects.toMatchObject({ kind: "Unavailable" });
  expect(calls).toBe(4);
});

it("while the probe is out, nobody else goes", async () => {
  await open();
  await wall.advance(15_000);
  const { promise, resolve } = Promise.withResolvers<string>();
  const probe = breaker.run(() => promise);
  await expect(succeed()).rejects.toMatchObject({ kind: "Unavailable" });
  resolve("up");
  expect(await probe).toBe("up");
  expect(await succeed()).toBe("yes");
});
